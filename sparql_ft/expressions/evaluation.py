"""The value of an expression in a solution (SPARQL 1.1, section 17).

`evaluate_expression` raises `ExpressionError` where SPARQL has an error, and `holds` is what FILTER makes of it. This
is the reference that every faster way must agree with, so it follows the specification step by step. Chains of one
operator are one node and one loop; only nesting takes the stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sparql_ft.expressions.context import Context
from sparql_ft.expressions.errors import EvaluationLimitError, ExpressionError
from sparql_ft.expressions.functions import call_built_in, call_function
from sparql_ft.expressions.operators import calculate, compare, effective_boolean_value, equal, signed
from sparql_ft.expressions.term_functions import bnode
from sparql_ft.expressions.values import boolean_literal
from sparql_ft.nodes import (
    And,
    Arithmetic,
    Call,
    Compare,
    Exists,
    Expression,
    FtContains,
    FtExpression,
    FunctionCall,
    In,
    Not,
    Or,
    Sign,
)
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Variable

__all__ = ["Context", "EvaluationLimitError", "ExpressionError", "evaluate_expression", "holds"]


def evaluate_expression(
    expression: Expression,
    solution: Mapping[Variable, Term],
    context: Context,
    labels: dict[str, BlankNode] | None = None,
) -> Term:
    """Its value; `ExpressionError` says that it has none, `EvaluationLimitError` that none could be found in time.

    `labels` is what BNODE("x") gave in other expressions for the same solution (17.4.2.9), and is added to.
    """
    try:
        return _Evaluation(solution, context, {} if labels is None else labels).value(expression)
    except RecursionError:
        raise EvaluationLimitError("the expression is nested too deeply") from None


def holds(expression: Expression, solution: Mapping[Variable, Term], context: Context) -> bool:
    """Whether a FILTER with this expression keeps the solution: an error counts as false (section 17.2)."""
    try:
        return effective_boolean_value(evaluate_expression(expression, solution, context))
    except ExpressionError:
        return False


class _Evaluation:
    """The evaluation of one expression in one solution."""

    __slots__ = ("_bnodes", "_context", "_solution")

    def __init__(self, solution: Mapping[Variable, Term], context: Context, labels: dict[str, BlankNode]) -> None:
        self._solution = solution
        self._context = context
        self._bnodes = labels

    def value(self, expression: Expression) -> Term:
        match expression:
            case IRI() | Literal():
                return expression
            case Variable():
                return self._bound(expression)
            case Compare(operator, left, right):
                return boolean_literal(compare(operator, self.value(left), self.value(right)))
            case Arithmetic(first, rest):
                return self._chain(first, rest)
            case Sign(operator, operand):
                return signed(operator, self.value(operand))
            case FunctionCall(function, arguments):
                return call_function(function, [self.value(argument) for argument in arguments])
            case Call():
                return self._call(expression)
        return boolean_literal(self._truth(expression))

    def _truth(self, expression: Or | And | Not | In | Exists | FtContains) -> bool:
        match expression:
            case Or(operands):
                return self._any(operands, decisive=True)
            case And(operands):
                return self._any(operands, decisive=False)
            case Not(operand):
                return not self._boolean(operand)
            case In():
                return self._in(expression)
            case Exists(group, negated):
                return self._context.exists(group, self._solution) != negated
            case FtContains(variable, words):
                return self._ftcontains(self._bound(variable), words)

    def _boolean(self, expression: Expression) -> bool:
        return effective_boolean_value(self.value(expression))

    def _bound(self, variable: Variable) -> Term:
        term = self._solution.get(variable)
        if term is None:
            raise ExpressionError(f"{variable} is unbound")
        return term

    def _any(self, operands: Iterable[Expression], *, decisive: bool) -> bool:
        """`||` (decisive is true) and `&&` (false): one operand that is decisive outweighs errors (section 17.2)."""
        failed = False
        for operand in operands:
            try:
                if self._boolean(operand) is decisive:
                    return decisive
            except ExpressionError:
                failed = True
        if failed:
            raise ExpressionError("an operand is an error, and no other decides")
        return not decisive

    def _in(self, expression: In) -> bool:
        """IN is `a = b1 || a = b2 …` and NOT IN its negation (sections 17.4.1.9 and 17.4.1.10)."""
        operand = self.value(expression.operand)
        failed = False
        for option in expression.options:
            try:
                if equal(operand, self.value(option)):
                    return not expression.negated
            except ExpressionError:
                failed = True
        if failed:
            raise ExpressionError("a comparison of IN is an error, and no other is true")
        return expression.negated

    def _chain(self, first: Expression, rest: Iterable[tuple[str, Expression]]) -> Term:
        result = self.value(first)
        for operator, operand in rest:
            result = calculate(operator, result, self.value(operand))
        return result

    def _call(self, call: Call) -> Term:
        """A built-in function. Three of those that come first decide themselves which arguments to evaluate."""
        match call:
            case Call("BOUND", (Variable() as variable,)):
                return boolean_literal(variable in self._solution)
            case Call("IF", (condition, then, otherwise)):
                return self.value(then if self._boolean(condition) else otherwise)
            case Call("COALESCE", arguments):
                return self._first_value(arguments)
            case Call("BNODE", arguments):
                return bnode(self._bnodes, *map(self.value, arguments))
        return call_built_in(call.name, [self.value(argument) for argument in call.arguments], self._context)

    def _first_value(self, expressions: Iterable[Expression]) -> Term:
        for expression in expressions:
            try:
                return self.value(expression)
            except ExpressionError:
                continue
        raise ExpressionError("COALESCE found no argument without error")

    def _ftcontains(self, term: Term, words: FtExpression) -> bool:
        if not isinstance(term, Literal):
            raise ExpressionError(f"ftcontains looks at literals, not at {term}")
        return self._context.ftcontains(term.lexical, words)
