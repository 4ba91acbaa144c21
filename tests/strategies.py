"""Hypothesis strategies: publications, and queries over the whole language that have something to say about them.

All draw from one small vocabulary, so that patterns match, joins join and negations find something to negate. Queries
are syntax trees as the parser makes them (blank nodes numbered, BIND targets new, no chain inside a like chain).

Strategies are made once and kept (`cache`): to make one, and to check it, takes Hypothesis longer than to draw from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from hypothesis import strategies as st

from sparql_ft import QueryError, parse
from sparql_ft.nodes import (
    WILDCARD,
    And,
    Arithmetic,
    Bind,
    Call,
    Compare,
    Element,
    Exists,
    Expression,
    Filter,
    Form,
    FtAnd,
    FtContains,
    FtExpression,
    FtNear,
    FtNot,
    FtOr,
    FtWords,
    GraphGroup,
    Group,
    In,
    InlineData,
    Minus,
    Not,
    OptionalGroup,
    Or,
    Path,
    PathAlternative,
    PathInverse,
    PathNegated,
    PathRepeat,
    PathSequence,
    PatternTerm,
    Query,
    TriplePattern,
    Union,
    Wildcard,
)
from sparql_ft.publication import Publication
from sparql_ft.rewriting import number_blank_nodes
from sparql_ft.scope import in_scope
from sparql_ft.terms import (
    IRI,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Term,
    Triple,
    Variable,
)
from tests.blank_labels import apart

__all__ = ["Language", "full_text", "groups", "paths", "publications", "queries", "texts"]

SUBJECTS = [IRI(f"urn:x:{name}") for name in "abc"]
ABSENT = IRI("urn:x:absent")  # in queries only
BLANK_NODES = [BlankNode(name) for name in ("m", "n")]
PREDICATES = [IRI(f"urn:x:{name}") for name in "pqr"]
GRAPH = IRI("urn:x:g")
VARIABLES = [Variable(name) for name in "uvwxyz"]
NEW_VARIABLES = [Variable(name) for name in ("n1", "n2", "n3")]  # of BIND and VALUES, mostly
CANONICAL = [
    Literal("x"),
    Literal("x y"),
    Literal("Y z", language="en"),
    Literal("x", language="de"),
    Literal("1", XSD_INTEGER),
    Literal("2", XSD_INTEGER),
    Literal("2.5", XSD_DECIMAL),
    Literal("true", XSD_BOOLEAN),
    Literal("2024-02-29", XSD + "date"),
    Literal("x", "urn:x:datatype"),
]
ODD = [  # other lexical forms of the same values, and forms that have none
    Literal("01", XSD_INTEGER),
    Literal("1", XSD + "int"),
    Literal("1.0", XSD_DECIMAL),
    Literal("1e0", XSD + "double"),
    Literal("1", XSD_BOOLEAN),
    Literal("one", XSD_INTEGER),
]


@dataclass(frozen=True)
class Language:
    """Which parts of the language to draw from."""

    literals: tuple[Literal, ...] = (*CANONICAL, *ODD)
    constants: bool = True  # as subjects and objects of patterns
    wildcards: bool = True
    blank_nodes: bool = True
    paths: bool = True
    repetitions: str = "?*+"
    empty_negated: bool = True  # `!()`
    inverse_negated: bool = True  # `!^p`
    graph: bool = True
    exists: bool = True
    minus: bool = True
    bind: bool = True
    values: bool = True
    empty_values: bool = True  # without rows
    nested_groups: bool = True
    full_text: bool = True
    comparisons: bool = True  # `=`, `<`, arithmetic: where the datatypes of operands matter


ALL = Language()


@cache
@st.composite
def publications(
    draw: st.DrawFn, literals: tuple[Literal, ...] = (*CANONICAL, *ODD), named: bool = True, most: int = 12
) -> Publication:
    """Up to `most` triples of few subjects that point at each other, with several values and blank nodes."""
    triples = draw(_triples(literals, most))
    graph = draw(st.sampled_from((None, GRAPH, SUBJECTS[0]))) if named else None
    return Publication("urn:x:publication", tuple(triples), graph)


@cache
def _triples(literals: tuple[Literal, ...], most: int) -> st.SearchStrategy[list[Triple]]:
    subjects = st.sampled_from((*SUBJECTS, *SUBJECTS, *BLANK_NODES))
    objects: st.SearchStrategy[Term] = subjects | st.sampled_from(literals)
    return st.lists(st.tuples(subjects, st.sampled_from(PREDICATES), objects), max_size=most)


@cache
@st.composite
def queries(draw: st.DrawFn, language: Language = ALL, depth: int = 3) -> Query:
    """A query whose groups nest up to `depth`."""
    where = draw(groups(language, depth))
    values = draw(st.none() | inline_data(language)) if language.values else None
    form = draw(st.sampled_from((Form.SELECT, Form.SELECT, Form.ASK, Form.CONSTRUCT)))
    query = Query(form, where, values=values)
    if form is Form.SELECT:
        modifier = draw(st.sampled_from(("", "", "DISTINCT", "REDUCED")))
        query = replace(query, projection=draw(_projections()), modifier=modifier)
    elif form is Form.CONSTRUCT:
        template = draw(st.lists(triple_patterns(replace(language, wildcards=False, paths=False)), max_size=3))
        query = replace(query, template=tuple(template))
    return number_blank_nodes(apart(query))


@cache
def _projections() -> st.SearchStrategy[tuple[Variable, ...] | None]:
    return st.none() | st.lists(variables(), min_size=1, max_size=4, unique=True).map(tuple)


@cache
def variables() -> st.SearchStrategy[Variable]:
    """Mostly of those that patterns bind."""
    return st.sampled_from((*VARIABLES, *VARIABLES, *NEW_VARIABLES))


# --- graph patterns -------------------------------------------------------------------------------------------------


@cache
@st.composite
def groups(draw: st.DrawFn, language: Language = ALL, depth: int = 3) -> Group:
    """A group graph pattern; one that is not to nest any further has triples, filters, BIND and VALUES only."""
    elements: list[Element] = draw(st.lists(triple_patterns(language), max_size=2))
    for kind in draw(_several_kinds(language, depth)):
        element = draw(_element(kind, language, depth))
        if isinstance(element, Bind):
            before = in_scope(Group(tuple(elements)))
            free = [variable for variable in (*NEW_VARIABLES, *VARIABLES) if variable not in before]
            if not free:
                continue
            element = Bind(element.expression, draw(st.sampled_from(tuple(free))))
        elements.append(element)
    return Group(tuple(elements))


@cache
def _several_kinds(language: Language, depth: int) -> st.SearchStrategy[list[str]]:
    kinds = ["triple", "triple", "filter", "filter"]
    kinds += ["bind"] * language.bind + ["values"] * language.values
    if depth > 1:
        kinds += ["optional", "optional", "union"] + ["minus"] * language.minus + ["graph"] * language.graph
        kinds += ["group"] * language.nested_groups
    return st.lists(st.sampled_from(kinds), max_size=3)


@cache
def _element(kind: str, language: Language, depth: int) -> st.SearchStrategy[Element]:
    inner = groups(language, depth - 1)
    makers: dict[str, Callable[[], st.SearchStrategy[Element]]] = {
        "triple": lambda: triple_patterns(language),
        "filter": lambda: conditions(language, depth).map(Filter),
        "bind": lambda: values_of(language, depth).map(lambda expression: Bind(expression, NEW_VARIABLES[0])),
        "values": lambda: inline_data(language),
        "optional": lambda: inner.map(OptionalGroup),
        "minus": lambda: inner.map(Minus),
        "union": lambda: st.lists(inner, min_size=2, max_size=3).map(lambda parts: Union(tuple(parts))),
        "graph": lambda: st.builds(GraphGroup, variables() | st.sampled_from([GRAPH, ABSENT]), inner),
        "group": lambda: inner,
    }
    return makers[kind]()


@cache
def inline_data(language: Language = ALL) -> st.SearchStrategy[InlineData]:
    """VALUES of one or two variables, with UNDEF, constants in no triple, and equal rows."""
    value = st.none() | st.sampled_from((*SUBJECTS, ABSENT)) | st.sampled_from(language.literals)
    return st.one_of(
        st.builds(
            InlineData,
            st.lists(variables(), min_size=width, max_size=width, unique=True).map(tuple),
            st.lists(st.tuples(*[value] * width), min_size=0 if language.empty_values else 1, max_size=3).map(tuple),
        )
        for width in (1, 2)
    )


@cache
def triple_patterns(language: Language = ALL) -> st.SearchStrategy[TriplePattern]:
    """A triple pattern, mostly of variables."""
    some: list[PatternTerm] = [*VARIABLES, *VARIABLES]
    some += [*SUBJECTS, ABSENT] * language.constants
    some += [BlankNode("e"), BlankNode("f")] * language.blank_nodes + [WILDCARD] * language.wildcards
    objects = [*some, *some, *language.literals] if language.constants else some
    verbs: list[st.SearchStrategy[Path | Variable | Wildcard]] = [
        st.sampled_from(PREDICATES),
        st.sampled_from(PREDICATES),
        st.sampled_from([*VARIABLES[:2], WILDCARD] if language.wildcards else VARIABLES[:2]),
    ]
    if language.paths:
        verbs.append(paths(language))
    return st.builds(TriplePattern, st.sampled_from(some), st.one_of(verbs), st.sampled_from(objects))


@cache
def paths(language: Language = ALL) -> st.SearchStrategy[Path]:
    """A property path, as canonical trees have them: no sequence in a sequence, no alternative in an alternative."""
    return st.recursive(_steps(language), lambda inner: _larger(inner, language), max_leaves=4)


def _steps(language: Language) -> st.SearchStrategy[Path]:
    iris = st.sampled_from(PREDICATES)
    forward = st.lists(iris, min_size=0 if language.empty_negated else 1, max_size=2).map(tuple)
    inverse = st.lists(iris, max_size=1 if language.inverse_negated else 0).map(tuple)
    return iris | iris | st.builds(PathNegated, forward, inverse)


def _larger(inner: st.SearchStrategy[Path], language: Language) -> st.SearchStrategy[Path]:
    several = st.lists(inner, min_size=2, max_size=3)
    larger: list[st.SearchStrategy[Path]] = [
        several.map(lambda parts: PathSequence(_flat(parts, PathSequence))),
        several.map(lambda parts: PathAlternative(_flat(parts, PathAlternative))),
        inner.map(PathInverse),
    ]
    if language.repetitions:
        larger.append(st.builds(PathRepeat, inner, st.sampled_from(language.repetitions)))
    return st.one_of(larger)


def _flat(parts: list[Path], kind: type[PathSequence | PathAlternative]) -> tuple[Path, ...]:
    return tuple(leaf for part in parts for leaf in (part.parts if isinstance(part, kind) else (part,)))


# --- expressions ----------------------------------------------------------------------------------------------------


@cache
def conditions(language: Language = ALL, depth: int = 2) -> st.SearchStrategy[Expression]:
    """What a FILTER asks: a Boolean combination of tests, errors among them."""
    tests: list[st.SearchStrategy[Expression]] = [
        variables().map(lambda v: Call("BOUND", (v,))),
        st.builds(lambda a, b: Call("SAMETERM", (a, b)), variables(), operands(language)),
        st.builds(lambda name, v: Call(name, (v,)), st.sampled_from(["ISIRI", "ISBLANK", "ISLITERAL"]), variables()),
        st.builds(lambda v, iri: Compare("=", v, iri), variables(), st.sampled_from([*SUBJECTS, ABSENT])),
        st.builds(lambda v: Call("CONTAINS", (Call("STR", (v,)), Literal("x"))), variables()),
    ]
    if language.comparisons:
        order = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
        tests.append(st.builds(Compare, order, operands(language), operands(language)))
        options = st.lists(operands(language), max_size=3).map(tuple)
        tests.append(st.builds(In, variables(), options, st.booleans()))
    if language.full_text:
        tests.append(st.builds(FtContains, variables(), full_text()))
    if language.exists and depth > 1:
        tests.append(st.builds(Exists, groups(language, depth - 1), st.booleans()))
    return st.recursive(st.one_of(tests), _combined, max_leaves=3)


def _combined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        inner.map(Not),
        several.map(lambda parts: And(_flat_expressions(parts, And))),
        several.map(lambda parts: Or(_flat_expressions(parts, Or))),
    )


def _flat_expressions(parts: list[Expression], kind: type[And | Or]) -> tuple[Expression, ...]:
    return tuple(leaf for part in parts for leaf in (part.operands if isinstance(part, kind) else (part,)))


@cache
def operands(language: Language = ALL) -> st.SearchStrategy[Expression]:
    """A variable or a constant."""
    return variables() | st.sampled_from(SUBJECTS) | st.sampled_from(list(language.literals))


@cache
def values_of(language: Language = ALL, depth: int = 2) -> st.SearchStrategy[Expression]:
    """What a BIND computes, errors among it."""
    kinds: list[st.SearchStrategy[Expression]] = [
        operands(language),
        variables().map(lambda v: Call("STR", (v,))),
        st.builds(lambda a, b, c: Call("IF", (Call("BOUND", (a,)), b, c)), *[variables()] * 3),
        st.builds(lambda a, b: Call("COALESCE", (a, b)), variables(), operands(language)),
    ]
    if language.comparisons:
        kinds.append(variables().map(lambda v: Arithmetic(v, (("+", Literal("1", XSD_INTEGER)),))))
        kinds.append(conditions(language, depth))
    return st.one_of(kinds)


@cache
def full_text() -> st.SearchStrategy[FtExpression]:
    """A full-text expression over the few words of the literals."""
    words = st.sampled_from(
        [
            FtWords("x"),
            FtWords("y"),
            FtWords("x y"),
            FtWords("Z", case_sensitive=True),
            FtWords("?", wildcards=True),
            FtWords("1"),
        ]
    )
    near = st.builds(
        lambda a, b, least, more: FtNear((a, b), ((least, None if more is None else least + more),)),
        words,
        words,
        st.integers(0, 1),
        st.none() | st.integers(0, 1),
    )
    return st.recursive(words | near, _ft_combined, max_leaves=3)


def _ft_combined(inner: st.SearchStrategy[FtExpression]) -> st.SearchStrategy[FtExpression]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        inner.map(FtNot),
        several.map(lambda parts: FtAnd(_flat_ft(parts, FtAnd))),
        several.map(lambda parts: FtOr(_flat_ft(parts, FtOr))),
    )


def _flat_ft(parts: list[FtExpression], kind: type[FtAnd | FtOr]) -> tuple[FtExpression, ...]:
    return tuple(leaf for part in parts for leaf in (part.operands if isinstance(part, kind) else (part,)))


def is_registrable(text: str) -> bool:
    """Generated trees may look for words where no literal can be, which is refused."""
    try:
        parse(text)
    except QueryError:
        return False
    return True


texts = queries().map(str).filter(is_registrable)
