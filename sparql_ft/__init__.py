"""Full-text SPARQL: the language and its meaning.

`parse` turns text into a syntax tree, `evaluate` gives the solutions of a query over one publication.
"""

from sparql_ft.errors import QueryError, QuerySyntaxError, UnsupportedFeatureError
from sparql_ft.nodes import Query
from sparql_ft.parser import parse

__all__ = ["Query", "QueryError", "QuerySyntaxError", "UnsupportedFeatureError", "parse"]
