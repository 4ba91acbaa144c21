"""The precedence of operators: a flat chain `a || b = c + d` -> nested expressions [111-117]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NoReturn, TypeAlias

from sparql_ft.nodes import And, Arithmetic, Compare, Expression, In, Or

__all__ = ["Link", "by_precedence"]

# An operator, the number of its token, and what stands to its right: an operand, or the list of IN and NOT IN.
Link: TypeAlias = tuple[str, int, "Expression | tuple[Expression, ...]"]
_Chain: TypeAlias = tuple[Expression, Sequence[Link]]

_RELATIONS: Final = frozenset({"=", "!=", "<", "<=", ">", ">=", "IN", "NOT IN"})


def by_precedence(first: Expression, links: Sequence[Link], fail: Callable[[str, int, str], NoReturn]) -> Expression:
    """[111] ConditionalOrExpression, [112] ConditionalAndExpression."""
    disjuncts = []
    for disjunct in _split(first, links, "||"):
        conjuncts = tuple(_relation(*conjunct, fail) for conjunct in _split(*disjunct, "&&"))
        disjuncts.append(conjuncts[0] if len(conjuncts) == 1 else And(conjuncts))
    return disjuncts[0] if len(disjuncts) == 1 else Or(tuple(disjuncts))


def _split(first: Expression, links: Sequence[Link], operator: str) -> list[_Chain]:
    """The chain, cut at one operator."""
    chains: list[tuple[Expression, list[Link]]] = [(first, [])]
    for link in links:
        if link[0] == operator:
            chains.append((_operand(link), []))
        else:
            chains[-1][1].append(link)
    return list(chains)


def _relation(first: Expression, links: Sequence[Link], fail: Callable[[str, int, str], NoReturn]) -> Expression:
    """[114] RelationalExpression: at most one comparison."""
    places = [place for place, link in enumerate(links) if link[0] in _RELATIONS]
    if not places:
        return _sum(first, links)
    if len(places) > 1:
        fail("comparisons cannot be chained", links[places[1]][1], "Join two comparisons by &&.")
    place = places[0]
    operator, _, right = links[place]
    left, rest = _sum(first, links[:place]), links[place + 1 :]
    if not isinstance(right, tuple):
        return Compare(operator, left, _sum(right, rest))
    if rest:
        fail("nothing can be calculated with the result of IN", rest[0][1], "Add parentheses.")
    return In(left, right, operator == "NOT IN")


def _sum(first: Expression, links: Sequence[Link]) -> Expression:
    """[116] AdditiveExpression of [117] MultiplicativeExpressions."""
    signs: list[str] = []
    products: list[tuple[Expression, list[tuple[str, Expression]]]] = [(first, [])]
    for link in links:
        operator = link[0]
        if operator in "+-":
            signs.append(operator)
            products.append((_operand(link), []))
        else:
            products[-1][1].append((operator, _operand(link)))
    terms = [factor if not rest else Arithmetic(factor, tuple(rest)) for factor, rest in products]
    return terms[0] if len(terms) == 1 else Arithmetic(terms[0], tuple(zip(signs, terms[1:], strict=True)))


def _operand(link: Link) -> Expression:
    assert not isinstance(link[2], tuple)  # only IN has a list, and it is split off before
    return link[2]
