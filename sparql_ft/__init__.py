"""Full-text SPARQL: the language and its meaning.

`parse` turns text into a syntax tree, `extract` that into tuples, and `prepare` does both, quickly for many texts of
one shape. `matches` and `evaluate` are what a query means on one publication.
"""

from sparql_ft.errors import QueryError, QuerySyntaxError, UnsupportedFeatureError
from sparql_ft.evaluation.evaluator import Evaluator, construct, evaluate, matches
from sparql_ft.expressions.errors import EvaluationLimitError
from sparql_ft.extraction.queries import extract
from sparql_ft.extraction.tuples import Alternative, QueryTuple, QueryTuples
from sparql_ft.nodes import Query
from sparql_ft.publication import Publication, PublicationError
from sparql_ft.shapes import PreparedQuery, prepare
from sparql_ft.syntax.parser import parse

__all__ = [
    "Alternative",
    "EvaluationLimitError",
    "Evaluator",
    "PreparedQuery",
    "Publication",
    "PublicationError",
    "Query",
    "QueryError",
    "QuerySyntaxError",
    "QueryTuple",
    "QueryTuples",
    "UnsupportedFeatureError",
    "construct",
    "evaluate",
    "extract",
    "matches",
    "parse",
    "prepare",
]
