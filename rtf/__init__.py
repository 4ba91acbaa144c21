"""Standing full-text SPARQL queries: register them once, match every RDF publication against all of them.

The language and its meaning are in `sparql_ft`; this package holds the index, the Spark pipeline and the command line.
"""

from sparql_ft.publication import Publication

__all__ = ["Publication"]
