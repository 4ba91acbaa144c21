"""Text -> syntax tree, or one of the two documented errors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sparql_ft.iri import DEFAULT_BASE
from sparql_ft.nodes import Query
from sparql_ft.syntax.builder import Builder
from sparql_ft.syntax.diagnosis import explain
from sparql_ft.syntax.grammar import ParseFailure, parse_query_tree
from sparql_ft.syntax.lexer import lex

__all__ = ["parse"]


def parse(text: str, base: str | None = None) -> Query:
    """The query that a text is.

    `base` is what relative IRIs and bare names are resolved against, unless the text has a BASE of its own.

    Raises QuerySyntaxError or UnsupportedFeatureError, both with line, column and what to do.

    >>> query = parse('SELECT * { ?s <http://example.org/body> ?b FILTER ftcontains(?b, "rio" ftOR "olympic games") }')
    >>> print(query)
    SELECT * WHERE {
      ?s <http://example.org/body> ?b .
      FILTER ftcontains(?b, "rio" ftOR "olympic games")
    }
    >>> parse(str(query)) == query
    True
    """
    if base is None:
        base = DEFAULT_BASE
    try:
        return _parse(text, base)
    except RecursionError:  # the caller is deep in a recursion of its own; a thread has a stack to itself
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(_parse, text, base).result()


def _parse(text: str, base: str) -> Query:
    tokens = lex(text)
    try:
        tree = parse_query_tree(tokens.kinds)
    except ParseFailure as failure:
        raise explain(tokens, failure) from None
    return Builder(tokens, base).query(tree)
