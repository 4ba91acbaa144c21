"""Queries that have a solution in mind: grown from the triples of a publication, so that most of them match it.

A term of the publication is written as a constant or as the variable that stands for it, the same everywhere; around
the triples come groups, UNIONs, FILTERs and the rest, most of which that solution passes. What is drawn independently
of the publication (`tests.strategies`) hardly ever matches with a word or a condition in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sparql_ft.nodes import (
    WILDCARD,
    And,
    Bind,
    Call,
    Compare,
    Element,
    Exists,
    Expression,
    Filter,
    Form,
    FtContains,
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
)
from sparql_ft.publication import Publication
from sparql_ft.rewriting import number_blank_nodes
from sparql_ft.scope import in_scope
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Triple, Variable
from tests.blank_labels import apart
from tests.grown_conditions import LITERALS, WORDS, computed, true_of
from tests.strategies import (
    BLANK_NODES,
    CANONICAL,
    GRAPH,
    NEW_VARIABLES,
    PREDICATES,
    SUBJECTS,
)

__all__ = ["grown"]


def grown(rng: Random) -> tuple[Query, list[Publication]]:
    """A query, the publication it was grown from, and others like it that it may just miss.

    Not a strategy: drawing would take five times as long as checking. An example that fails is small as it is.
    """
    graph = rng.choice([None, None, GRAPH, SUBJECTS[0]])
    triples = [_triple(rng) for _ in range(rng.randint(2, 8))]
    grower = _Grower(triples, graph, rng)
    where = grower.group(grower.depth())
    values = grower.rows() if grower.chance(1, 6) else None
    query = number_blank_nodes(apart(Query(Form.ASK, where, values=values)))
    return query, [Publication("urn:x:publication", tuple(each), graph) for each in _variants(triples, rng)]


def _triple(rng: Random) -> Triple:
    subjects = [*SUBJECTS, *BLANK_NODES[:1]]
    object_: Term = rng.choice(LITERALS) if rng.random() < 0.5 else rng.choice(subjects)
    return rng.choice(subjects), rng.choice(PREDICATES), object_


def _variants(triples: list[Triple], rng: Random) -> Iterator[list[Triple]]:
    """The triples; without one of them; without two, but with another."""
    yield triples
    yield rng.sample(triples, len(triples) - 1)
    yield [*rng.sample(triples, len(triples) - 2), _triple(rng)]


class _Grower:
    """The triples, and the variables that stand for their terms."""

    def __init__(self, triples: list[Triple], graph: IRI | None, rng: Random) -> None:
        self._triples = triples
        self._literal_triples = [each for each in triples if isinstance(each[2], Literal)]
        self._graph = graph
        self._rng = rng
        self._names: dict[Term, Variable] = {}

    def depth(self) -> int:
        """Of groups in groups."""
        return self._rng.choice([1, 2, 2, 3, 3])

    def chance(self, one: int, of: int) -> bool:
        """True in so many cases."""
        return self._rng.randrange(of) < one

    def _name(self, term: Term) -> Variable:
        return self._names.setdefault(term, Variable(f"t{len(self._names)}"))

    def group(self, depth: int) -> Group:
        """One to four elements, then FILTERs on what they bind."""
        kinds = ["triple", "triple", "triple", "path", "path", "values"]
        if depth > 1 and self.chance(3, 4):
            kinds += ["group", "union", "graph", "optional", "optional", "minus"]
        elements: list[Element] = [self._triple()]
        elements += [self._element(self._rng.choice(kinds), depth) for _ in range(self._rng.randrange(4))]
        self._rng.shuffle(elements)
        free = [variable for variable in NEW_VARIABLES if variable not in in_scope(Group(tuple(elements)))]
        if free and self.chance(1, 6):
            value = computed(self._rng.choice(list(self._names.values())), self._rng)
            elements.append(Bind(value, self._rng.choice(free)))
        for _ in range(self._rng.choice([0, 1, 1, 2])):
            elements.append(Filter(self._condition(Group(tuple(elements)), depth)))
        return Group(tuple(elements))

    def _element(self, kind: str, depth: int) -> Element:
        match kind:
            case "triple":
                return self._triple()
            case "path":
                return self._path()
            case "values":
                return self.rows()
            case "group":
                return self.group(depth - 1)
            case "union":
                branches = [self.group(depth - 1), self.group(1)]
                self._rng.shuffle(branches)
                return Union(tuple(branches))
            case "graph":
                names: list[Variable | IRI] = [Variable("g"), *self._names.values()]
                if self._graph is not None:
                    names += [self._graph] * 3
                return GraphGroup(self._rng.choice(names), self.group(1))
            case "optional":
                return OptionalGroup(self.group(depth - 1))
            case "minus":
                return Minus(self.group(1))
            case _:
                raise ValueError(kind)

    def _triple(self) -> TriplePattern:
        subject, predicate, object_ = self._rng.choice([*self._triples, *self._literal_triples * 2])
        verb = self._rng.choice([predicate, predicate, predicate, self._name(predicate), WILDCARD])
        return TriplePattern(self._end(subject), verb, self._end(object_))

    def _end(self, term: Term) -> PatternTerm:
        """Mostly the variable of the term, else the term itself, or what matches anything."""
        kind = self._rng.randrange(8)
        if kind == 7:
            return self._rng.choice([WILDCARD, BlankNode(f"of{self._name(term).name}")])
        return self._name(term) if kind < 5 or isinstance(term, BlankNode) else term

    def _path(self) -> TriplePattern:
        """A path along one triple, or along two where they meet."""
        subject, predicate, object_ = self._rng.choice(self._triples)
        path: Path = predicate
        end: Term = object_
        following = [triple for triple in self._triples if triple[0] == object_]
        if following and self.chance(1, 2):
            _, second, end = self._rng.choice(following)
            path = PathSequence((predicate, second))
        other = self._rng.choice(PREDICATES)
        larger: list[Path] = [path, PathAlternative((path, other)), PathAlternative((other, path))]
        larger += [PathRepeat(path, operator) for operator in "?*+"]
        larger += [PathNegated((other,)), PathNegated((other,), (other,)), PathSequence((other, PathRepeat(path, "*")))]
        path = self._rng.choice(larger)
        start, finish = self._end(subject), self._end(end)
        return (
            TriplePattern(finish, PathInverse(path), start) if self.chance(1, 3) else TriplePattern(start, path, finish)
        )

    def rows(self) -> InlineData:
        """VALUES with the right row among others, or with UNDEF in it."""
        known = [(variable, term) for term, variable in self._names.items() if not isinstance(term, BlankNode)]
        if not known:
            return InlineData((NEW_VARIABLES[0],), ((PREDICATES[0],),))
        chosen = self._rng.sample(known, self._rng.randrange(min(2, len(known))) + 1)
        rows = [tuple(None if self.chance(1, 4) else term for _, term in chosen)]
        rows += [tuple(self._rng.choice(known)[1] for _ in chosen) for _ in range(self._rng.randrange(3))]
        self._rng.shuffle(rows)
        return InlineData(tuple(variable for variable, _ in chosen), tuple(rows))

    # --- FILTERs ------------------------------------------------------------------------------------------------------

    def _condition(self, group: Group, depth: int) -> Expression:
        """Mostly true in the solution; else one of a Boolean combination is, or chance decides."""
        true, other = self._true(group, depth), self._chance_condition()
        match self._rng.choice(["true", "true", "or", "or", "and", "not", "any"]):
            case "or":
                operands = [true, other if self.chance(1, 2) else self._true(group, depth)]
                self._rng.shuffle(operands)
                return Or(tuple(operands))
            case "and":
                return And((true, self._true(group, depth)))
            case "not":
                return Not(true if self.chance(1, 2) else other)
            case "any":
                return other
            case _:
                return true

    def _chance_condition(self) -> Expression:
        """About any variable, in scope here, outside, or nowhere."""
        variable = self._rng.choice([*self._names.values(), NEW_VARIABLES[0]])
        operator = self._rng.choice(["=", "!=", "<", ">="])
        return self._rng.choice(
            [
                Call("BOUND", (variable,)),
                Call("ISLITERAL", (variable,)),
                FtContains(variable, self._rng.choice(WORDS)),
                Compare(operator, variable, self._rng.choice([*SUBJECTS, *LITERALS])),
                Compare(operator, self._rng.choice(list(self._names.values())), variable),
                In(variable, tuple(self._rng.sample([*SUBJECTS, *CANONICAL], 2)), negated=self.chance(1, 2)),
            ]
        )

    def _true(self, group: Group, depth: int) -> Expression:
        scope = set(in_scope(group))
        anything = self.chance(1, 8)  # also what is not in scope here, but outside, or nowhere
        bound = [(variable, term) for term, variable in self._names.items() if anything or variable in scope]
        if depth > 1 and self.chance(1, 3):
            return Exists(self.group(depth - 1), self.chance(1, 3))
        if not bound:
            return self._chance_condition()
        literals = [pair for pair in bound if isinstance(pair[1], Literal)]  # what most conditions are about
        variable, term = self._rng.choice(literals if literals and self.chance(2, 3) else bound)
        return true_of(variable, term, self._rng)
