"""Trees with other terms in them: one walk, used wherever a query is renamed or filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from sparql_ft.nodes import Node, Query
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = ["number_blank_nodes", "rewrite"]

Leaf = IRI | BlankNode | Literal | Variable
T = TypeVar("T")


@cache
def _field_names(kind: type[Node]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def rewrite(tree: T, replace: Callable[[Leaf], Leaf]) -> T:
    """The tree with every term and variable replaced, in canonical order. Unchanged parts are shared."""
    result: Any = tree
    if isinstance(tree, IRI | BlankNode | Literal | Variable):
        result = replace(tree)
    elif isinstance(tree, tuple):
        parts = tuple([rewrite(part, replace) for part in tree])
        if any(new is not old for new, old in zip(parts, tree, strict=True)):
            result = parts
    elif isinstance(tree, Node):
        kind: type[Node] = type(tree)
        names = _field_names(kind)
        old = [getattr(tree, name) for name in names]
        parts = tuple([rewrite(part, replace) for part in old])
        if any(new is not before for new, before in zip(parts, old, strict=True)):
            result = kind(*parts)
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
    return Query(query.form, where, query.projection, query.modifier, template, query.values)
