"""OPTIONALs that a FILTER makes mandatory: `OPTIONAL { ?x rdfs:label ?l } FILTER(lang(?l) = "en")`.

Where a FILTER cannot be true unless a variable is bound, and nothing but one OPTIONAL of its group binds that variable,
every solution that passes is one to which the OPTIONAL has contributed. So it may as well be a group that is joined.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import Final, TypeAlias

from sparql_ft.nodes import (
    And,
    Arithmetic,
    Call,
    Compare,
    Element,
    Expression,
    Filter,
    FtContains,
    FunctionCall,
    GraphGroup,
    Group,
    In,
    Not,
    OptionalGroup,
    Or,
    Sign,
    Union,
)
from sparql_ft.rewriting import variables_in
from sparql_ft.scope import in_scope
from sparql_ft.terms import Variable

__all__ = ["with_mandatory_groups"]

Variables: TypeAlias = frozenset[Variable]

_NONE: Final[Variables] = frozenset()


def with_mandatory_groups(group: Group) -> Group:
    """The group with such OPTIONALs as groups; it has the same solutions.

    The patterns of EXISTS stay as they are: there, a variable may have a value from outside.
    """
    needed = _NONE.union(*(_bound_if_true(each.expression) for each in group.elements if isinstance(each, Filter)))
    binders = Counter(variable for element in group.elements if needed for variable in in_scope(element))
    return Group(tuple([_rewritten(element, needed, binders) for element in group.elements]))


def _rewritten(element: Element, needed: Variables, binders: Counter[Variable]) -> Element:
    match element:
        case Group():
            return with_mandatory_groups(element)
        case Union(groups):
            return Union(tuple([with_mandatory_groups(group) for group in groups]))
        case GraphGroup(name, group):
            return GraphGroup(name, with_mandatory_groups(group))
        case OptionalGroup(group) if needed and _is_mandatory(group, needed, binders):
            return with_mandatory_groups(group)
        case _:
            return element


def _is_mandatory(group: Group, needed: Variables, binders: Counter[Variable]) -> bool:
    bound = frozenset(in_scope(group))
    if not any(binders[variable] == 1 for variable in bound & needed):
        return False
    # The FILTERs of an OPTIONAL also see what stands before it (18.2.2.6, LeftJoin); those of a group do not.
    return all(variables_in(each) <= bound for each in group.elements if isinstance(each, Filter))


def _bound_if_true(expression: Expression) -> Variables:
    """Variables that are bound wherever the expression is true."""
    match expression:
        case And(operands):
            return _NONE.union(*map(_bound_if_true, operands))
        case Or(operands):
            return reduce(frozenset.intersection, map(_bound_if_true, operands))
        case Call("BOUND", (Variable() as variable,)):
            return frozenset({variable})
        case _:
            return _bound_if_no_error(expression)


def _bound_if_no_error(expression: Expression) -> Variables:
    """Variables that are bound wherever the expression has a value: an unbound variable is an error (17.2)."""
    match expression:
        case Variable():
            return frozenset({expression})
        case FtContains(variable):
            return frozenset({variable})
        case Not(operand) | Sign(_, operand):
            return _bound_if_no_error(operand)
        case Compare(_, left, right):
            return _bound_if_no_error(left) | _bound_if_no_error(right)
        case Arithmetic(first, rest):
            return _bound_if_no_error(first).union(*(_bound_if_no_error(operand) for _, operand in rest))
        case In(operand, options) if options:
            return _bound_if_no_error(operand)
        case And(operands) | Or(operands):  # one operand may have the value although another is an error (17.2)
            return reduce(frozenset.intersection, map(_bound_if_no_error, operands))
        case Call("IF", (condition, *_)):
            return _bound_if_no_error(condition)
        case Call(name, arguments) if name not in ("BOUND", "COALESCE"):
            return _NONE.union(*map(_bound_if_no_error, arguments))
        case FunctionCall(_, arguments):
            return _NONE.union(*map(_bound_if_no_error, arguments))
        case _:
            return _NONE
