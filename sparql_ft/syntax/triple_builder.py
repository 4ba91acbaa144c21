"""Triples: the grammar's tree -> triple patterns, with abbreviations expanded and paths built [73-105]."""

from __future__ import annotations

from typing import Final

from sparql_ft.nodes import (
    WILDCARD,
    Path,
    PathAlternative,
    PathInverse,
    PathNegated,
    PathRepeat,
    PathSequence,
    PatternTerm,
    TriplePattern,
    Wildcard,
)
from sparql_ft.syntax.grammar import Tree
from sparql_ft.syntax.token_terms import TokenTerms
from sparql_ft.terms import IRI, RDF, BlankNode, Variable

__all__ = ["TripleBuilder"]

_RDF_FIRST: Final = IRI(RDF + "first")
_RDF_REST: Final = IRI(RDF + "rest")
_RDF_NIL: Final = IRI(RDF + "nil")


class TripleBuilder:
    """Builds the triples of one text. `bgp` is told to it, the number of the basic graph pattern at hand."""

    def __init__(self, terms: TokenTerms) -> None:
        self._kinds = terms.kinds
        self._texts = terms.texts
        self._terms = terms
        self._fresh = 0  # blank nodes made so far, of `[]`, `[…]` and `(…)`
        self._labels: dict[str, int] = {}  # blank node label -> the BGP that it belongs to
        self._in_template = False
        self.bgp = 0
        self.has_blank_nodes = False
        self.literals: set[Variable] = set()  # variables in places where a literal can be

    def _blank_node(self) -> BlankNode:
        self._fresh += 1
        self.has_blank_nodes = True
        return BlankNode(f"[{self._fresh}]")  # no label of the user's looks like this

    def _labelled(self, index: int) -> BlankNode:
        label = self._texts[index][2:]
        self.has_blank_nodes = True
        if self._labels.setdefault(label, self.bgp) != self.bgp:
            self._terms.fail(
                f"the blank node _:{label} is used in two graph patterns",
                index,
                "A blank node cannot join patterns; use a variable.",
            )
        return BlankNode(label)

    def _term(self, index: int) -> PatternTerm:
        """[106] VarOrTerm, `*` and bare names."""
        kind = self._kinds[index]
        if kind == "v":
            return self._terms.variable(index)
        if kind in "sdefDEFt":
            return self._terms.literal(index)
        if kind == "b":
            return self._labelled(index)
        if kind == "*":
            return self._wildcard(index)
        if kind == "[":
            return self._blank_node()
        if kind == "(":
            return _RDF_NIL
        return self._terms.iri(index)

    def _wildcard(self, index: int) -> Wildcard:
        if self._in_template:
            self._terms.fail("`*` cannot stand in a CONSTRUCT template", index, "Use a variable.")
        return WILDCARD

    def plain_triple(self, index: int) -> TriplePattern:
        """A triple of three tokens."""
        object_ = self._term(index + 2)
        if isinstance(object_, Variable):
            self.literals.add(object_)
        return TriplePattern(self._term(index), self._verb(index + 1), object_)

    def triples(self, tree: Tree) -> list[TriplePattern]:
        """[81] TriplesSameSubjectPath."""
        first, *rest = tree[2]
        found: list[TriplePattern] = []
        subject = self._node(first, found)
        for properties in rest:
            self._property_list(subject, properties, found)
        return found

    def _property_list(self, subject: PatternTerm, tree: Tree, found: list[TriplePattern]) -> None:
        """[83] PropertyListPathNotEmpty."""
        for _, _, (verb, objects) in tree[2]:
            predicate = self._verb(verb)
            for node in objects[2]:
                nested: list[TriplePattern] = []
                object_: PatternTerm = self._node(node, nested)
                if isinstance(object_, Variable):
                    self.literals.add(object_)
                found.append(TriplePattern(subject, predicate, object_))
                found.extend(nested)
            if isinstance(subject, Variable) and not isinstance(predicate, IRI | Variable | Wildcard):
                self.literals.add(subject)  # paths run backwards, too

    def _node(self, tree: Tree, found: list[TriplePattern]) -> PatternTerm:
        """[105] GraphNodePath: its term; what it says besides is added to `found`."""
        if isinstance(tree, int):
            return self._term(tree)
        kind, _, parts = tree
        if kind == "property_list_node":
            subject = self._blank_node()
            self._property_list(subject, parts[0], found)
            return subject
        cells = [self._blank_node() for _ in parts]
        rests: list[PatternTerm] = [*cells[1:], _RDF_NIL]
        for cell, part, rest in zip(cells, parts, rests, strict=True):
            nested: list[TriplePattern] = []
            member = self._node(part, nested)
            if isinstance(member, Variable):
                self.literals.add(member)
            found.append(TriplePattern(cell, _RDF_FIRST, member))
            found.append(TriplePattern(cell, _RDF_REST, rest))
            found.extend(nested)
        return cells[0]

    def _verb(self, tree: Tree) -> Path | Variable | Wildcard:
        if not isinstance(tree, int):
            if self._in_template:
                self._terms.fail("a property path cannot stand in a CONSTRUCT template", tree[1], "Use one IRI.")
            return self._path(tree)
        kind = self._kinds[tree]
        if kind == "v":
            return self._terms.variable(tree)
        return self._wildcard(tree) if kind == "*" else self._terms.iri(tree)

    def _path(self, tree: Tree) -> Path:
        """[88-96] Path; a node of one part is that part."""
        if isinstance(tree, int):
            return self._terms.iri(tree)
        kind, _, parts = tree
        if kind in ("path_alternative", "path_sequence"):
            paths = tuple(self._path(part) for part in parts)
            if len(paths) == 1:
                return paths[0]
            return PathAlternative(paths) if kind == "path_alternative" else PathSequence(paths)
        if kind == "path_inverse":
            return PathInverse(self._path(parts[0]))
        if kind == "path_element":
            path = self._path(parts[0])
            return path if len(parts) == 1 else PathRepeat(path, self._texts[parts[1]])
        forward = tuple(self._terms.iri(one[2][0]) for one in parts if len(one[2]) == 1)
        inverse = tuple(self._terms.iri(one[2][1]) for one in parts if len(one[2]) == 2)
        return PathNegated(forward, inverse)

    def template(self, tree: Tree) -> tuple[TriplePattern, ...]:
        """[73] ConstructTemplate, [52] TriplesTemplate: triples without paths or wildcards."""
        self._in_template = True
        found = tuple(triple for triples in tree[2] for triple in self.triples(triples))
        self._in_template = False
        return found

    def forget(self) -> None:
        """Begin anew: labels of a template name other nodes than those of the pattern, and it binds no variable."""
        self._labels = {}
        self.literals.clear()
