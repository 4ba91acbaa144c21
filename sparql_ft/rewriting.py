"""Trees with other terms in them: one walk, used wherever a query is renamed or filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeAlias, TypeVar

from sparql_ft.nodes import Node, Query
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = ["Leaf", "number_blank_nodes", "parts_of", "rewrite", "variables_in"]

Leaf: TypeAlias = IRI | BlankNode | Literal | Variable
T = TypeVar("T")


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def parts_of(tree: Node | tuple[object, ...]) -> tuple[object, ...]:
    """What a node or a tuple of nodes consists of, in canonical order."""
    if isinstance(tree, tuple):
        return tree
    kind: Any = type(tree)
    return tuple([getattr(tree, name) for name in _field_names(kind)])


def variables_in(tree: object) -> frozenset[Variable]:
    """Every variable that a tree mentions, wherever it stands."""
    found: set[Variable] = set()
    pending = [tree]
    while pending:
        part = pending.pop()
        if isinstance(part, Variable):
            found.add(part)
        elif isinstance(part, Node | tuple):
            pending.extend(parts_of(part))
    return frozenset(found)


def rewrite(tree: T, change: Callable[[Leaf], Leaf]) -> T:
    """The tree with every term and variable replaced, in canonical order. Unchanged parts are shared."""
    result: Any = tree
    if isinstance(tree, IRI | BlankNode | Literal | Variable):
        result = change(tree)
    elif isinstance(tree, Node | tuple):
        before = parts_of(tree)
        after = tuple([rewrite(part, change) for part in before])
        if any(new is not old for new, old in zip(after, before, strict=True)):
            result = after if isinstance(tree, tuple) else type(tree)(*after)
    return result  # type: ignore[no-any-return]


def number_blank_nodes(query: Query) -> Query:
    """The query with its blank nodes called b0, b1 … in order of appearance, so that equal queries have equal trees."""
    count = 0

    def renamer() -> Callable[[Leaf], Leaf]:
        names: dict[str, BlankNode] = {}

        def rename(leaf: Leaf) -> Leaf:
            nonlocal count
            if not isinstance(leaf, BlankNode):
                return leaf
            if leaf.label not in names:
                names[leaf.label] = BlankNode(f"b{count}")
                count += 1
            return names[leaf.label]

        return rename

    template = rewrite(query.template, renamer())  # a template's labels name other nodes than the pattern's
    where = rewrite(query.where, renamer())
    return replace(query, template=template, where=where)
