"""FILTERs -> tighter ways: words and conditions on tuples, values for variables, more tuples.

A FILTER keeps the solutions for which its expression is true, errors being no truth (17.2). So of `a && b` both must be
true, and of `a || b` one must be; each rule below says what a true expression requires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from sparql_ft.extraction.ways import (
    MAX_TUPLES,
    Constant,
    Way,
    conjunction,
    fresh_variable,
    is_too_large,
    size,
    with_residual,
)
from sparql_ft.nodes import (
    And,
    Call,
    Compare,
    Exists,
    Expression,
    FtAnd,
    FtContains,
    FtExpression,
    FtNot,
    FtOr,
    Group,
    In,
    Node,
    Not,
    Or,
)
from sparql_ft.rewriting import Leaf, parts_of, rewrite, variables_in
from sparql_ft.terms import IRI, RDF_LANG_STRING, XSD_STRING, Literal, Variable

__all__ = ["apply_filters"]

GroupWays = Callable[[Group, frozenset[Variable]], list[Way]]

_MAX_STEPS: Final = 50_000  # in which a condition looks at a tuple: thousands of FILTERs may meet thousands of branches

# Functions of more than their arguments: chance, the clock, the base of the query.
_IMPURE: Final = frozenset({"RAND", "UUID", "STRUUID", "BNODE", "NOW", "IRI", "URI"})


def apply_filters(
    ways: Sequence[Way], expressions: Iterable[Expression], group_ways: GroupWays, given: frozenset[Variable]
) -> list[Way]:
    """The ways that are left where all expressions are true.

    `group_ways` gives those of the pattern of an EXISTS. `given` are the variables that have a value from outside of
    the EXISTS that we are in: it is substituted for them everywhere (18.6), and the tuples outside show it.
    """
    result = list(ways)
    conjuncts = [conjunct for expression in expressions for conjunct in _conjuncts(expression)]
    for done, conjunct in enumerate(conjuncts):
        if done * (len(result) + size(result)) > _MAX_STEPS:
            return with_residual(result)  # sound: what is left out could only have narrowed them further
        result = _narrowed(result, conjunct, group_ways, given)
    return result


def _narrowed(ways: list[Way], condition: Expression, group_ways: GroupWays, given: frozenset[Variable]) -> list[Way]:
    """Ways that divide where few are made so; else each keeps the whole condition. Twenty `||` would be a million."""
    result: list[Way] = []
    tuples = 0
    for way in ways:
        narrower = _apply(way, condition, group_ways, given)
        result.extend(narrower)
        tuples += size(narrower)
        if len(result) > len(ways) and tuples > MAX_TUPLES:
            return [_with_condition(each, condition, given) for each in ways]
    return result


def _conjuncts(expression: Expression) -> list[Expression]:
    """Sound and exact: `a && b` is true iff both are."""
    if isinstance(expression, And):
        return [conjunct for operand in expression.operands for conjunct in _conjuncts(operand)]
    return [expression]


def _apply(way: Way, condition: Expression, group_ways: GroupWays, given: frozenset[Variable]) -> list[Way]:
    text = _as_text(condition)
    if text is not None and text[0] in way.certain and any(text[0] in each.variables() for each in way.tuples):
        return _with_text(way, *text)
    values = _as_values(condition)
    if values is not None and values[0] in way.certain:
        variable, constants = values
        if len(constants) == 1 or len(constants) * len(way.tuples) <= MAX_TUPLES:
            # Sound and exact: the variable is equal to one of the constants iff it is that very term.
            bound = (way.bound_to({variable: constant}) for constant in constants)
            return [narrower for narrower in bound if narrower is not None]
    if isinstance(condition, Exists) and not condition.negated:
        return _with_pattern(way, condition.group, group_ways, given)
    if isinstance(condition, Or):
        split = _split(way, condition, group_ways, given)
        if split is not None:
            return split
    return [_with_condition(way, condition, given)]


# --- words ------------------------------------------------------------------------------------------------------------


def _as_text(condition: Expression) -> tuple[Variable, FtExpression] | None:
    """A condition that is full text of one variable, as such.

    Exact, `!`, `&&` and `||` included: on a literal ftcontains is true or false, and these mean what ftNOT, ftAND and
    ftOR mean; on anything else it is an error, and so are they.
    """
    match condition:
        case FtContains(variable, expression):
            return variable, expression
        case Not(operand):
            inner = _as_text(operand)
            return None if inner is None else (inner[0], FtNot(inner[1]))
        case And(operands) | Or(operands):
            inners = [_as_text(operand) for operand in operands]
            found = [inner for inner in inners if inner is not None]
            if len(found) < len(inners) or len({variable for variable, _ in found}) > 1:
                return None
            expressions = tuple(expression for _, expression in found)
            return found[0][0], FtAnd(expressions) if isinstance(condition, And) else FtOr(expressions)
        case _:
            return None


def _with_text(way: Way, variable: Variable, expression: FtExpression) -> list[Way]:
    """Sound and exact: the variable is the object of these tuples, so it is their object that the words must be in.

    Where it is never an object it is the subject or the predicate of a triple, so no literal, and there is no way.
    """
    tuples = tuple(
        replace(each, text=expression if each.text is None else _and(each.text, expression))
        if each.object == variable
        else each
        for each in way.tuples
    )
    return [replace(way, tuples=tuples)] if tuples != way.tuples else []


def _and(first: FtExpression, second: FtExpression) -> FtExpression:
    return FtAnd((*first.operands, second)) if isinstance(first, FtAnd) else FtAnd((first, second))


# --- values -----------------------------------------------------------------------------------------------------------


def _as_values(condition: Expression) -> tuple[Variable, tuple[Constant, ...]] | None:
    """A condition that holds for certain terms only, as the variable and these terms."""
    match condition:
        case Compare("=", Variable() as variable, IRI() | Literal() as constant) if _is_itself(constant):
            return variable, (constant,)
        case Compare("=", IRI() | Literal() as constant, Variable() as variable) if _is_itself(constant):
            return variable, (constant,)
        case Call("SAMETERM", (Variable() as variable, IRI() | Literal() as constant)):
            return variable, (constant,)
        case Call("SAMETERM", (IRI() | Literal() as constant, Variable() as variable)):
            return variable, (constant,)
        case In(Variable() as variable, options, negated=False):
            constants = [option for option in options if isinstance(option, IRI | Literal) and _is_itself(option)]
            # 17.4.1.9: true as soon as one option is equal, whatever becomes of the others.
            return (variable, tuple(dict.fromkeys(constants))) if len(constants) == len(options) else None
        case Or(operands):
            inners = [_as_values(operand) for operand in operands]
            found = [inner for inner in inners if inner is not None]
            if len(found) < len(inners) or len({variable for variable, _ in found}) > 1:
                return None
            return found[0][0], tuple(dict.fromkeys(constant for _, constants in found for constant in constants))
        case _:
            return None


def _is_itself(constant: Constant) -> bool:
    """Whether only the term itself is equal to it (17.4.1.7): numbers and dates have many spellings, these do not."""
    return isinstance(constant, IRI) or constant.datatype in (XSD_STRING, RDF_LANG_STRING)


# --- EXISTS and || ----------------------------------------------------------------------------------------------------


def _with_pattern(way: Way, group: Group, group_ways: GroupWays, given: frozenset[Variable]) -> list[Way]:
    """Sound: the pattern has a solution that agrees with the one at hand, so its tuples hold beside the others.

    Exact if what it shares with the outside is certain there. Other variables get names of their own: outside, the same
    name may stand for something else, or be unbound, so that any value did here.
    """
    mentioned = variables_in(group)
    bound = way.certain | given
    own: dict[Leaf, Leaf] = {variable: fresh_variable() for variable in mentioned - bound - way.graph_variables}
    inside = group_ways(rewrite(group, lambda term: own.get(term, term)), bound)
    if is_too_large([way], inside):
        return [replace(way, residual=True)]  # its ways could not stand alone: conditions mention what is given
    joined = conjunction([way], inside)
    unclear = not mentioned & way.scope <= bound
    return [replace(each, maybe=way.maybe, residual=each.residual or unclear) for each in joined]


def _split(way: Way, condition: Or, group_ways: GroupWays, given: frozenset[Variable]) -> list[Way] | None:
    """One way for each operand, if that brings words into all of them; else one condition is as good.

    Sound and exact: `a || b` is true iff one of them is, in whatever order; the texts of one variable are one operand.
    """
    operands = _by_variable(condition.operands)
    if len(operands) * len(way.tuples) > MAX_TUPLES:
        return None
    ways: list[Way] = []
    for operand in operands:
        narrower = apply_filters([way], [operand], group_ways, given)
        if any(_words(each) == _words(way) or each.residual > way.residual for each in narrower):
            return None
        ways.extend(narrower)
    return ways if size(ways) <= MAX_TUPLES else None


def _by_variable(operands: Sequence[Expression]) -> list[Expression]:
    texts: dict[Variable, list[FtExpression]] = {}
    others: list[Expression] = []
    for operand in operands:
        text = _as_text(operand)
        if text is None:
            others.append(operand)
        else:
            texts.setdefault(text[0], []).append(text[1])
    return [*(FtContains(variable, _or(found)) for variable, found in texts.items()), *others]


def _or(expressions: Sequence[FtExpression]) -> FtExpression:
    return expressions[0] if len(expressions) == 1 else FtOr(tuple(expressions))


def _words(way: Way) -> list[FtExpression | None]:
    return [each.text for each in way.tuples]


# --- everything else --------------------------------------------------------------------------------------------------


def _with_condition(way: Way, condition: Expression, given: frozenset[Variable]) -> Way:
    """Exact where the tuples show the values of all its variables, so that the condition can be evaluated on them."""
    match condition:
        case Call("BOUND", (Variable() as variable,)) if variable in way.certain | given:
            return way
    variables = variables_in(condition)
    if not _is_evaluable(condition) or not variables <= way.certain | given:
        return replace(way, residual=True)
    if variables:
        for place, each in enumerate(way.tuples):
            if variables <= set(each.variables()):
                tightened = replace(each, conditions=(*each.conditions, condition))
                return replace(way, tuples=(*way.tuples[:place], tightened, *way.tuples[place + 1 :]))
    return replace(way, conditions=(*way.conditions, condition))


def _is_evaluable(condition: Expression) -> bool:
    """Whether a condition depends on the values of its variables alone: not on the graph or what `_IMPURE` has."""
    pending: list[object] = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, Exists) or (isinstance(part, Call) and part.name in _IMPURE):
            return False
        if isinstance(part, Node | tuple):
            pending.extend(parts_of(part))
    return True
