"""Full-text SPARQL: the language and its meaning.

`parse` turns text into a syntax tree, `extract` that into tuples, and `prepare` does both, quickly for many texts of one
shape.
"""

from sparql_ft.errors import QueryError, QuerySyntaxError, UnsupportedFeatureError
from sparql_ft.extraction import extract
from sparql_ft.nodes import Query
from sparql_ft.parser import parse
from sparql_ft.publication import Publication, PublicationError
from sparql_ft.shapes import PreparedQuery, prepare
from sparql_ft.tuples import Alternative, QueryTuple, QueryTuples

__all__ = [
    "Alternative",
    "PreparedQuery",
    "Publication",
    "PublicationError",
    "Query",
    "QueryError",
    "QuerySyntaxError",
    "QueryTuple",
    "QueryTuples",
    "UnsupportedFeatureError",
    "extract",
    "parse",
    "prepare",
]
