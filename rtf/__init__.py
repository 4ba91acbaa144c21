"""Standing full-text SPARQL queries: register them once, match every RDF publication against all of them.

The language and its meaning are in `sparql_ft`; this package holds the index, the Spark pipeline and the command line.
"""

from rtf.engine import Engine
from rtf.errors import DuplicateQueryError, IndexFileError, RegistrationError, UnknownQueryError
from rtf.explanation.explanation import Explanation
from rtf.match import Highlight, Match
from rtf.ontology import Ontology
from rtf.registry.registry import Registry, RegistryError
from rtf.report import MatchReport
from sparql_ft.publication import Publication

__all__ = [
    "DuplicateQueryError",
    "Engine",
    "Explanation",
    "Highlight",
    "IndexFileError",
    "Match",
    "MatchReport",
    "Ontology",
    "Publication",
    "RegistrationError",
    "Registry",
    "RegistryError",
    "UnknownQueryError",
]
