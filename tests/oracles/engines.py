"""What pyoxigraph and rdflib make of a query on a publication, as multisets of solutions.

Both take any exception of a custom function for an error of SPARQL's; ours is remembered and raised again.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count
from typing import Any, TypeAlias

import pyoxigraph as ox
import rdflib
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.operators import register_custom_function
from rdflib.plugins.sparql.sparql import SPARQLError

from sparql_ft.convert import from_pyoxigraph, from_rdflib, to_pyoxigraph, to_rdflib
from sparql_ft.iri import DEFAULT_BASE
from sparql_ft.nodes import (
    Bind,
    Call,
    Form,
    FtContains,
    FtExpression,
    FunctionCall,
    InlineData,
    Node,
    Query,
    TriplePattern,
    Wildcard,
)
from sparql_ft.publication import Publication
from sparql_ft.scope import visible
from sparql_ft.terms import IRI, Literal, Term, Variable
from tests.oracles.fulltext_bruteforce import satisfies
from tests.oracles.trees import nodes

__all__ = [
    "Multiset",
    "Solutions",
    "kept",
    "multiset",
    "projected",
    "pyoxigraph_solutions",
    "rdflib_solutions",
    "rewritten",
    "standard",
]

FT_CONTAINS = "urn:sparql-ft:contains"
Multiset: TypeAlias = "Counter[frozenset[tuple[str, Term]]]"
Solutions: TypeAlias = Callable[[Query, Publication], Multiset]

_full_texts: dict[str, FtExpression] = {}  # what the second argument of the function stands for
_failures: list[Exception] = []  # of the function itself, in the query at hand


def _ftcontains(text: str, expression: str) -> bool:
    try:
        return satisfies(text, _full_texts[expression])
    except Exception as failure:
        _failures.append(failure)
        raise


@contextmanager
def _surfacing() -> Iterator[None]:
    """Raise what the function raised, once the query is answered."""
    _failures.clear()
    yield
    if _failures:
        raise _failures[0]


def multiset(solutions: Iterable[dict[str, Term]]) -> Multiset:
    """Solutions as values that compare."""
    return Counter(frozenset(solution.items()) for solution in solutions)


def projected(query: Query) -> Query:
    """The query as a SELECT that names its variables; at least one, which may be bound nowhere."""
    names = visible(query) if query.projection is None else query.projection
    modifier = "DISTINCT" if query.modifier == "DISTINCT" else ""
    return Query(Form.SELECT, query.where, names or (Variable("none"),), modifier, values=query.values)


@lru_cache(maxsize=64)
def standard(query: Query) -> str:
    """The text of a `projected` query in plain SPARQL: wildcards as variables, ftcontains as a function."""
    numbers = count()

    def plain(node: Any) -> Any:
        match node:
            case Wildcard():
                return Variable(f"wildcard{next(numbers)}")
            case FtContains(variable, expression):
                _full_texts[str(expression)] = expression
                return FunctionCall(IRI(FT_CONTAINS), (variable, Literal(str(expression))))
            case tuple():
                return tuple(plain(part) for part in node)
            case Node():
                return replace(node, **{name: plain(getattr(node, name)) for name in node.__dataclass_fields__})
            case _:
                return node

    return str(plain(query))


@cache
def rewritten(literal: Literal) -> Literal:
    """What pyoxigraph's Store makes of a literal; asking it is the shortest way to know."""
    (row,) = ox.Store().query(f"SELECT ?v {{ BIND({literal} AS ?v) }}")  # type: ignore[misc]
    term = from_pyoxigraph(row["v"])
    assert isinstance(term, Literal)
    return term


def kept(query: Query, publication: Publication) -> set[Literal]:
    """Literals that can be values of variables, or are compared with them as terms."""
    places = (TriplePattern, InlineData, Bind)
    found = {triple[2] for triple in publication.triples if isinstance(triple[2], Literal)}
    for node in nodes(query):
        if isinstance(node, places) or (isinstance(node, Call) and node.name == "SAMETERM"):
            found |= {part for part in nodes(node) if isinstance(part, Literal)}
    return found


def pyoxigraph_solutions(query: Query, publication: Publication) -> Multiset:
    """By pyoxigraph's Store. It rewrites typed literals; as long as no two become one, that can be undone."""
    original: dict[Term, Term] = {rewritten(literal): literal for literal in kept(query, publication)}
    store = ox.Store()
    for triple in publication.triples:
        terms: Any = [to_pyoxigraph(term) for term in triple]
        store.add(ox.Quad(*terms))
        if publication.graph is not None:
            name: Any = to_pyoxigraph(publication.graph)
            store.add(ox.Quad(*terms, name))
    if publication.graph is not None:
        store.add_graph(to_pyoxigraph(publication.graph))  # type: ignore[arg-type]

    def term(value: object) -> Term:
        read = from_pyoxigraph(value)
        return original.get(read, read)

    def ftcontains(value: object, expression: ox.Literal) -> ox.Literal | None:
        literal = term(value)
        return ox.Literal(_ftcontains(literal.lexical, expression.value)) if isinstance(literal, Literal) else None

    functions: dict[ox.NamedNode, Callable[..., Any]] = {ox.NamedNode(FT_CONTAINS): ftcontains}
    with _surfacing():
        found: Any = store.query(standard(query), base_iri=query.base or DEFAULT_BASE, custom_functions=functions)
        names = [variable.value for variable in found.variables]
        return multiset({name: term(row[name]) for name in names if row[name] is not None} for row in found)


def _rdflib_ftcontains(value: rdflib.term.Node, expression: rdflib.Literal) -> rdflib.Literal:
    if not isinstance(value, rdflib.Literal):
        raise SPARQLError("no literal")
    return rdflib.Literal(_ftcontains(str(value), str(expression)))


register_custom_function(rdflib.URIRef(FT_CONTAINS), _rdflib_ftcontains)


@lru_cache(maxsize=64)
def _prepared(text: str, base: str) -> rdflib.plugins.sparql.sparql.Query:
    """Parsing takes rdflib ten times as long as answering."""
    return prepareQuery(text, base=base)


def rdflib_solutions(query: Query, publication: Publication) -> Multiset:
    """By rdflib's own engine, told to leave lexical forms as they are."""
    rdflib.NORMALIZE_LITERALS = False
    try:
        with warnings.catch_warnings(), _surfacing():
            warnings.simplefilter("ignore", DeprecationWarning)  # rdflib 7.6 calls what it deprecates itself
            return _rdflib_solutions(query, publication)
    finally:
        rdflib.NORMALIZE_LITERALS = True


def _rdflib_solutions(query: Query, publication: Publication) -> Multiset:
    dataset = rdflib.Dataset()
    for triple in publication.triples:
        terms: Any = tuple(to_rdflib(term) for term in triple)
        dataset.default_graph.add(terms)
        if publication.graph is not None:
            dataset.graph(to_rdflib(publication.graph)).add(terms)
    if publication.graph is not None:
        dataset.graph(to_rdflib(publication.graph))
    found: Any = dataset.query(_prepared(standard(query), query.base or DEFAULT_BASE))
    bindings = found.bindings  # iterating over the result itself would leave out solutions that bind nothing
    return multiset({str(name): from_rdflib(value) for name, value in row.items()} for row in bindings)
