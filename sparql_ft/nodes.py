"""The syntax tree of a query: immutable, compared by value, printed by `str()` as text that parses back to it.

The tree keeps what was written, less what carries no meaning: prefixes and relative IRIs are resolved, `;` `,` `[…]`
and `(…)` in triples are expanded, blank nodes are numbered in order of appearance, needless brackets are gone. Chains
of one operator (`a || b || c`) are one node with many operands, so that five thousand of them are no deep tree. The
numbers in brackets are the productions of the SPARQL 1.1 grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = [
    "WILDCARD",
    "And",
    "Arithmetic",
    "Bind",
    "Call",
    "Compare",
    "Element",
    "Exists",
    "Expression",
    "Filter",
    "Form",
    "FtAnd",
    "FtContains",
    "FtExpression",
    "FtNear",
    "FtNot",
    "FtOr",
    "FtWords",
    "FunctionCall",
    "GraphGroup",
    "Group",
    "In",
    "InlineData",
    "Minus",
    "Not",
    "OptionalGroup",
    "Or",
    "Path",
    "PathAlternative",
    "PathInverse",
    "PathNegated",
    "PathRepeat",
    "PathSequence",
    "PatternTerm",
    "Query",
    "Sign",
    "TriplePattern",
    "Union",
    "Wildcard",
]


@dataclass(frozen=True, slots=True)
class Node:
    """Whatever prints as canonical text."""

    def __str__(self) -> str:
        from sparql_ft.syntax.printer import text_of  # the printer knows the nodes; they know only that there is one

        return text_of(self)


# --- full text --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FtWords(Node):
    """A string of an ft expression with its `using` options: one word, or a phrase."""

    text: str
    wildcards: bool = False
    stemming: bool = False
    language: str = "en"  # of the stemmer; stays "en" where nothing is stemmed
    case_sensitive: bool = False
    diacritics_insensitive: bool = False


@dataclass(frozen=True, slots=True)
class FtNear(Node):
    """`A ftNEAR[m,n] B ftNEAR[k,l] C`: gaps[i] = (least, most) tokens between operands i and i+1; most None is `*`."""

    operands: tuple[FtWords, ...]
    gaps: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class FtNot(Node):
    operand: FtExpression


@dataclass(frozen=True, slots=True)
class FtAnd(Node):
    operands: tuple[FtExpression, ...]


@dataclass(frozen=True, slots=True)
class FtOr(Node):
    operands: tuple[FtExpression, ...]


FtExpression: TypeAlias = FtWords | FtNear | FtNot | FtAnd | FtOr


# --- triple patterns and property paths -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wildcard(Node):
    """`*` in a triple pattern: each occurrence is a variable of its own that is never projected."""


WILDCARD: Final = Wildcard()


@dataclass(frozen=True, slots=True)
class PathSequence(Node):
    """`p / q` [90]."""

    parts: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class PathAlternative(Node):
    """`p | q` [89]."""

    parts: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class PathInverse(Node):
    """`^p` [92]."""

    part: Path


@dataclass(frozen=True, slots=True)
class PathRepeat(Node):
    """`p*`, `p+` or `p?` [91, 93]; `operator` is that character."""

    part: Path
    operator: str


@dataclass(frozen=True, slots=True)
class PathNegated(Node):
    """`!(p | ^q)` [95]: any predicate but those; `inverse` are the ones written with `^`."""

    forward: tuple[IRI, ...]
    inverse: tuple[IRI, ...] = ()


Path: TypeAlias = IRI | PathSequence | PathAlternative | PathInverse | PathRepeat | PathNegated
PatternTerm: TypeAlias = Variable | IRI | BlankNode | Literal | Wildcard


@dataclass(frozen=True, slots=True)
class TriplePattern(Node):
    """A triple pattern; its predicate may be a property path that is more than an IRI."""

    subject: PatternTerm
    predicate: Path | Variable | Wildcard
    object: PatternTerm


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Or(Node):
    """`a || b || …` [111]."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class And(Node):
    """`a && b && …` [112]."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`=`, `!=`, `<`, `<=`, `>` or `>=` [114]."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class In(Node):
    """`a IN (b, c)`, or NOT IN [114]."""

    operand: Expression
    options: tuple[Expression, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """A chain of one precedence, evaluated from the left: `first` then (`+`|`-`|`*`|`/`, operand) … [116, 117]."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`!a` [118]."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Sign(Node):
    """Unary `+` or `-` on anything but a number, where the sign belongs to the number [118]."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A built-in [121]; `name` in upper case, e.g. STRLANG."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall(Node):
    """A function with an IRI [128]: a cast such as xsd:integer(?x), or one that nobody here knows."""

    function: IRI
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """EXISTS {…} or NOT EXISTS {…} [125, 126]."""

    group: Group
    negated: bool = False


@dataclass(frozen=True, slots=True)
class FtContains(Node):
    """`ftcontains(?v, expr)`, however it was spelt."""

    variable: Variable
    expression: FtExpression


Expression: TypeAlias = (
    Variable
    | IRI
    | Literal
    | Or
    | And
    | Compare
    | In
    | Arithmetic
    | Not
    | Sign
    | Call
    | FunctionCall
    | Exists
    | FtContains
)


# --- graph patterns ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """FILTER [68]; it holds for the whole group it stands in."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class OptionalGroup(Node):
    """OPTIONAL {…} [57]."""

    group: Group


@dataclass(frozen=True, slots=True)
class Minus(Node):
    """MINUS {…} [66]."""

    group: Group


@dataclass(frozen=True, slots=True)
class GraphGroup(Node):
    """GRAPH name {…} [58]."""

    name: Variable | IRI
    group: Group


@dataclass(frozen=True, slots=True)
class Union(Node):
    """{…} UNION {…} UNION … [67]; at least two."""

    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Bind(Node):
    """BIND(expression AS ?variable) [60]."""

    expression: Expression
    variable: Variable


@dataclass(frozen=True, slots=True)
class InlineData(Node):
    """VALUES [61]; None in a row is UNDEF."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[IRI | Literal | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Group(Node):
    """{…} [53]: its elements in the order written. Neighbouring triple patterns (and FILTERs between) are one BGP."""

    elements: tuple[Element, ...] = ()


Element: TypeAlias = TriplePattern | Filter | OptionalGroup | Minus | GraphGroup | Union | Bind | InlineData | Group


class Form(Enum):
    """What a query asks for. It matches by its WHERE whatever the form."""

    SELECT = "SELECT"
    ASK = "ASK"
    CONSTRUCT = "CONSTRUCT"


@dataclass(frozen=True, slots=True)
class Query(Node):
    """A whole query."""

    form: Form
    where: Group
    projection: tuple[Variable, ...] | None = None  # SELECT only; None is `*`
    modifier: str = ""  # SELECT only: "", "DISTINCT" or "REDUCED"
    template: tuple[TriplePattern, ...] = ()  # CONSTRUCT only; CONSTRUCT WHERE has its pattern here as well
    values: InlineData | None = None  # the VALUES clause after WHERE
    base: str | None = None  # what IRI() resolves against; None where nothing asks, or it is the default
