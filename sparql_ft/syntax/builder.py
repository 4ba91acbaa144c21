"""The grammar's tree -> the syntax tree.

Names are resolved, abbreviations expanded, and the rules checked that no grammar can express. Every error says where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sparql_ft.iri import DEFAULT_BASE
from sparql_ft.nodes import (
    Bind,
    Call,
    Element,
    Exists,
    Expression,
    Filter,
    Form,
    FtContains,
    FunctionCall,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    Not,
    OptionalGroup,
    Query,
    Sign,
    TriplePattern,
    Union,
)
from sparql_ft.rewriting import number_blank_nodes
from sparql_ft.scope import in_scope
from sparql_ft.signatures import ARITY
from sparql_ft.syntax.ft_builder import FtBuilder
from sparql_ft.syntax.grammar import Tree
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, Tokens
from sparql_ft.syntax.precedence import Link, by_precedence
from sparql_ft.syntax.token_terms import TokenTerms
from sparql_ft.syntax.triple_builder import TripleBuilder
from sparql_ft.syntax.written_out import check_written_out
from sparql_ft.terms import IRI, Literal, Variable

__all__ = ["FT_CONTAINS", "Builder"]

_FT: Final = "urn:sparql-ft:"
FT_CONTAINS: Final = IRI(_FT + "contains")  # the portable spelling of ftcontains

_UNDEF: Final = KIND_OF_KEYWORD["UNDEF"]


class Builder:
    """Builds the syntax tree of one text."""

    def __init__(self, tokens: Tokens, base: str) -> None:
        self._tokens = tokens
        self._kinds = tokens.kinds
        self._texts = tokens.texts
        self._terms = TokenTerms(tokens, base)
        self._ft = FtBuilder(tokens)
        self._triples = TripleBuilder(self._terms)
        self._searched: list[tuple[Variable, int]] = []  # variables of ftcontains, and the token to blame
        self._asks_for_base = False  # IRI() does
        self._literals = self._triples.literals

    def query(self, tree: Tree) -> Query:
        """[1, 2] Query."""
        prologue, form, *values = tree[2]
        for kind, _, tokens in prologue[2]:
            if kind == "base":
                self._terms.set_base(tokens[0])
            else:
                self._terms.declare(*tokens)
        kind, _, parts = form
        template: tuple[TriplePattern, ...] = ()
        if kind in ("construct", "construct_where"):
            template = self._triples.template(parts[0])
        if kind == "construct":
            self._triples.forget()
        trailing = self._inline_data(values[0]) if values else None
        if kind == "select":
            modifier, projection, where = parts
            modifiers = [self._texts[index].upper() for index in modifier[2]]
            variables = tuple(self._terms.variable(index) for index in projection[2])
            query = Query(Form.SELECT, self._group(where), variables or None, "".join(modifiers), values=trailing)
        elif kind == "ask":
            query = Query(Form.ASK, self._group(parts[0]), values=trailing)
        elif kind == "construct":
            query = Query(Form.CONSTRUCT, self._group(parts[1]), template=template, values=trailing)
        else:
            query = Query(Form.CONSTRUCT, Group(template), template=template, values=trailing)
        if self._asks_for_base and self._terms.base != DEFAULT_BASE:
            query = replace(query, base=self._terms.base)
        self._check_searched()
        if self._triples.has_blank_nodes:
            query = number_blank_nodes(query)
        check_written_out(query, self._tokens, self._terms.longest_namespace, self._ft.deepest)
        return query

    def _check_searched(self) -> None:
        """A variable that can be a literal in no alternative leaves nothing for ftcontains to look at."""
        for variable, index in self._searched:
            if variable not in self._literals:
                self._terms.fail(
                    f"ftcontains looks at {variable}, which can never be a literal here",
                    index,
                    f"Only the object of a triple pattern can be one, as in `?thing <title> {variable}`.",
                )

    # --- graph patterns -----------------------------------------------------------------------------------------------

    def _group(self, tree: Tree) -> Group:
        """[53] GroupGraphPattern."""
        self._triples.bgp += 1
        elements: list[Element] = []
        scope: set[Variable] = set()
        counted = 0  # elements whose variables are in `scope`; only BIND asks
        for part in tree[2]:
            kind = part[0]
            if kind == "plain_triple":
                elements.append(self._triples.plain_triple(part[1]))
            elif kind == "triples":
                elements.extend(self._triples.triples(part))
            elif kind == "filter":
                here = self._triples.bgp
                elements.append(Filter(self._expression(part[2][0])))
                self._triples.bgp = here  # a FILTER does not end the basic graph pattern around it (5.1)
            else:
                elements.append(_ELEMENTS[kind](self, part))
                if kind == "bind":
                    scope.update(*map(in_scope, elements[counted:-1]))
                    counted = len(elements) - 1
                    self._check_target(part[2][1], scope)
                self._triples.bgp += 1
        return Group(tuple(elements))

    def _check_target(self, index: int, scope: set[Variable]) -> None:
        """18.2.4.4: the variable of BIND must not be in scope from the elements before it."""
        variable = self._terms.variable(index)
        if variable in scope:
            self._terms.fail(
                f"BIND cannot assign {variable}: the patterns before it in the group already bind it",
                index,
                "Choose a new name, and compare the two with FILTER if they should be equal.",
            )

    def _optional(self, part: Tree) -> Element:
        return OptionalGroup(self._group(part[2][0]))

    def _minus(self, part: Tree) -> Element:
        return Minus(self._group(part[2][0]))

    def _graph(self, part: Tree) -> Element:
        name, group = part[2]
        return GraphGroup(
            self._terms.variable(name) if self._kinds[name] == "v" else self._terms.iri(name), self._group(group)
        )

    def _union(self, part: Tree) -> Element:
        groups = tuple(self._group(group) for group in part[2])
        return groups[0] if len(groups) == 1 else Union(groups)

    def _bind(self, part: Tree) -> Element:
        expression, target = part[2]
        variable = self._terms.variable(target)
        self._literals.add(variable)
        return Bind(self._expression(expression), variable)

    def _inline_data(self, part: Tree) -> InlineData:
        """[61] InlineData, [28] ValuesClause."""
        kind, _, (head, *body) = part
        if kind == "values_one":
            return self._table((self._terms.variable(head),), [(index,) for index in body])
        variables = tuple(self._terms.variable(index) for index in head[2])
        if len(set(variables)) < len(variables):
            place = next(place for place, variable in enumerate(variables) if variable in variables[:place])
            self._terms.fail(f"{variables[place]} stands twice in the list of VALUES", head[2][place])
        for row in body:
            if len(row[2]) != len(variables):
                self._terms.fail(
                    f"VALUES gives values to {_counted(len(variables), 'variable')}, but this row has {len(row[2])}",
                    row[1],
                    "Write UNDEF where a row has no value.",
                )
        return self._table(variables, [row[2] for row in body])

    def _table(self, variables: tuple[Variable, ...], rows: list[tuple[int, ...]]) -> InlineData:
        data = InlineData(variables, tuple(tuple(self._data(index) for index in row) for row in rows))
        for variable, *column in zip(variables, *data.rows, strict=True):
            if any(isinstance(value, Literal) for value in column):
                self._literals.add(variable)
        return data

    def _data(self, index: int) -> IRI | Literal | None:
        return None if self._kinds[index] == _UNDEF else self._terms.constant(index)

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expression(self, tree: Tree) -> Expression:
        return _EXPRESSIONS[tree[0]](self, tree)

    def _leaf(self, tree: Tree) -> Expression:
        index = tree[2][0]
        return self._terms.variable(index) if self._kinds[index] == "v" else self._terms.constant(index)

    def _bracketted(self, tree: Tree) -> Expression:
        return self._expression(tree[2][0])

    def _not(self, tree: Tree) -> Expression:
        return Not(self._expression(tree[2][0]))

    def _sign(self, tree: Tree) -> Expression:
        operator, operand = tree[2]
        return Sign(self._texts[operator], self._expression(operand))

    def _chain(self, tree: Tree) -> Expression:
        """[111-117]: an operand and what follows, by precedence, loosest first."""
        first, *rest = tree[2]
        if not rest:
            return self._expression(first)
        links: list[Link] = []
        for kind, index, parts in rest:
            if kind == "operation":
                links.append((self._texts[index], index, self._expression(parts[1])))
            elif kind == "signed_number":
                number = self._terms.literal(index)
                links.append((number.lexical[0], index, Literal(number.lexical[1:], number.datatype)))
            else:
                options = tuple(self._expression(option) for option in parts[-1][2])
                links.append(("NOT IN" if len(parts) == 3 else "IN", index, options))
        return by_precedence(self._expression(first), links, self._terms.fail)

    def _call(self, tree: Tree) -> Expression:
        """[121] BuiltInCall."""
        index, given = tree[2]
        name = self._texts[index].upper()
        arguments = tuple(self._expression(argument) for argument in given[2])
        least, most = ARITY[name]
        if len(arguments) < least or (most is not None and len(arguments) > most):
            assert most is not None  # those that take any number take none, too
            wanted = "no argument" if most == 0 else _counted(most, "argument")
            self._terms.fail(
                f"{name} takes {wanted if least == most else f'{least} or {wanted}'}, not {len(arguments)}", index
            )
        if name == "BOUND" and not isinstance(arguments[0], Variable):
            self._terms.fail("BOUND takes a variable", index, "For example: bound(?x)")
        self._asks_for_base = self._asks_for_base or name in ("IRI", "URI")
        return Call(name, arguments)

    def _function_call(self, tree: Tree) -> Expression:
        """[70] FunctionCall, and ftcontains in its portable spelling."""
        index, given = tree[2]
        function = self._terms.iri(index)
        arguments = tuple(self._expression(argument) for argument in given[2])
        if function != FT_CONTAINS:
            if function.value.startswith(_FT):
                self._terms.fail(f"there is no function {function}", index, "Did you mean ft:contains?")
            return FunctionCall(function, arguments)
        variable, text = arguments if len(arguments) == 2 else (None, None)
        if not isinstance(variable, Variable) or not isinstance(text, Literal):
            self._terms.fail(
                "ft:contains takes a variable and a constant string",
                index,
                """For example: ft:contains(?body, '"olympic" ftAND "games"')""",
            )
        looked_at, words = given[2]
        self._searched.append((variable, looked_at[1]))
        return FtContains(variable, self._ft.portable(text.lexical, words[1]))

    def _exists(self, tree: Tree) -> Expression:
        return Exists(self._group(tree[2][0]), negated=tree[0] == "not_exists")

    def _ft_contains(self, tree: Tree) -> Expression:
        index, expression = tree[2]
        variable = self._terms.variable(index)
        self._searched.append((variable, index))
        return FtContains(variable, self._ft.expression(expression))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_ELEMENTS: Final[dict[str, Callable[[Builder, Tree], Element]]] = {
    "optional": Builder._optional,
    "union": Builder._union,
    "minus": Builder._minus,
    "graph": Builder._graph,
    "bind": Builder._bind,
    "values": Builder._inline_data,
    "values_one": Builder._inline_data,
}
_EXPRESSIONS: Final[dict[str, Callable[[Builder, Tree], Expression]]] = {
    "leaf": Builder._leaf,
    "expression": Builder._chain,
    "bracketted": Builder._bracketted,
    "not": Builder._not,
    "sign": Builder._sign,
    "call": Builder._call,
    "function_call": Builder._function_call,
    "exists": Builder._exists,
    "not_exists": Builder._exists,
    "ft_contains": Builder._ft_contains,
}
