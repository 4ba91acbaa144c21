"""The grammar of the language, in pyparsing, over the kinds of tokens.

Each rule names the production of SPARQL 1.1 that it implements, or says that it is ours. The input is the kind string
of `lexer.Tokens`, so that the location of a match is the number of a token. The output is a tree of plain tuples
`(rule, number of the first token, parts)`, whose leaves are token numbers; `builder` gives it meaning.

Two things differ from a transcription of the specification. Terms that span a fixed run of tokens (`"a"@en`, `()`) are
one terminal. And expressions are flat here, `operand (operator operand)*`, their precedence [111-117] being the
builder's work: a chain of seven rules around every operand would cost most of the time and of the stack.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pyparsing as pp

from sparql_ft.signatures import ARITY
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, KIND_OF_SYMBOL, SOFT_KEYWORDS, depth

__all__ = ["ParseFailure", "Tree", "parse_ft_tree", "parse_query_tree"]

Tree: TypeAlias = Any  # an int, or a tuple (rule, first token, parts)


class ParseFailure(Exception):
    """No tree: `index` is the first token that cannot stand where it stands, `expected` what could."""

    def __init__(self, index: int, expected: tuple[str, ...]) -> None:
        super().__init__(index, expected)
        self.index = index
        self.expected = expected


class _Furthest:
    """The last token at which terminals failed, and what they wanted there: what the error message is made of."""

    def __init__(self) -> None:
        self.index = 0
        self.expected: dict[str, None] = {}


_furthest = _Furthest()
_lock = threading.Lock()  # pyparsing's grammar objects and `_furthest` serve one parse at a time


class Terminal(pp.Token):
    """Tokens whose kinds match a pattern. `said` is how an error message calls it; None is never mentioned."""

    def __init__(self, pattern: str, said: str | None) -> None:
        super().__init__()
        self._match = re.compile(pattern).match
        self.said = said
        self.mayIndexError = False
        self.leave_whitespace()

    def _generateDefaultName(self) -> str:  # noqa: N802  the names are pyparsing's
        return self.said or self._match.__self__.pattern  # type: ignore[attr-defined]

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, Any]:  # noqa: ARG002, N802
        """Pyparsing's protocol: where the match ends, and what it is."""
        match = self._match(instring, loc)
        if match is not None:
            return match.end(), loc
        if loc >= _furthest.index and self.said is not None:
            if loc > _furthest.index:
                _furthest.index, _furthest.expected = loc, {}
            _furthest.expected[self.said] = None
        raise pp.ParseException(instring, loc, "", self)


def keyword(word: str) -> pp.ParserElement:
    """A keyword, in whatever case."""
    return Terminal(KIND_OF_KEYWORD[word], word)


def symbol(text: str) -> pp.ParserElement:
    """A symbol, which leaves nothing in the tree."""
    return Terminal(re.escape(KIND_OF_SYMBOL[text]), f"'{text}'").suppress()


def rule(name: str, *parts: pp.ParserElement) -> pp.ParserElement:
    """A sequence whose match is the tuple (name, first token, matches of the parts)."""
    sequence = pp.And(list(parts)) if len(parts) > 1 else parts[0].copy()
    return sequence.set_parse_action(lambda _, index, found: (name, index, tuple(found)))


def many(separator: pp.ParserElement, item: pp.ParserElement) -> pp.ParserElement:
    """One or more items."""
    return item + pp.ZeroOrMore(separator + item)


def _kinds(*words: str) -> str:
    return "".join(KIND_OF_KEYWORD[word] for word in words)


_IRI = "[ipn]"
_NAMES = f"w{_kinds(*SOFT_KEYWORDS)}"  # bare names
_LITERAL = f"s(?:@|T{_IRI})?|[defDEFt]"
_TERM = rf"{_LITERAL}|[vbipn{_NAMES}*]|\(\)|\[\]"
_ONE_TOKEN = rf"[svbipndefDEFt*{_NAMES}]"
_TERM_START = rf"[svbipndefDEFt(\[*{_NAMES}]"
# `*` after a predicate is a path operator if an object or more path follows, else it is the object.
_PATH_OPERATOR = rf"[+?]|\*(?={_TERM_START}|[/|)])"
_PREDICATE = f"[ipna{_NAMES}]"

# --- terminals --------------------------------------------------------------------------------------------------------

var = Terminal("v", "a variable")  # [108]
iri = Terminal(_IRI, "an IRI")  # [136]
integer = Terminal("d", "a number")
string = Terminal("s", "a string")  # [135]
literal = Terminal(_LITERAL, "a literal")  # [129, 130, 134]
nil = Terminal(r"\(\)", "'()'")  # [161]
end = Terminal(r"\Z", "the end").suppress()
var_or_term = Terminal(_TERM, "a term")  # [106] with `*` and bare names
simple_verb = Terminal(rf"[v*]|{_PREDICATE}(?![/|]|{_PATH_OPERATOR})", "a predicate")  # [84] or a path of one IRI
lbrace, rbrace, lparen, rparen, lbracket, rbracket = (symbol(text) for text in "{}()[]")
comma, semicolon, dot = symbol(","), symbol(";"), symbol(".")

# --- full text (ours) -------------------------------------------------------------------------------------------------

using = keyword("USING").suppress()
ft_option = using + (
    rule("wildcards", keyword("wildcards"))
    | rule("stemming", keyword("stemming"))
    | rule("language", keyword("language").suppress(), string)
    | rule("case", keyword("case").suppress(), keyword("sensitive") | keyword("insensitive"))
    | rule("diacritics", keyword("diacritics").suppress(), keyword("sensitive") | keyword("insensitive"))
)
ft_plain = Terminal(f"s(?!{_kinds('USING')})", "a string")
ft_words = ft_plain | rule("ft_words", string, pp.ZeroOrMore(ft_option))
ft_distance = rule(
    "ft_distance",
    keyword("ftNEAR").suppress(),
    lbracket,
    integer,
    comma,
    integer | Terminal(r"\*", "'*'"),
    rbracket,
)
ft_near = rule("ft_near", ft_words, pp.ZeroOrMore(ft_distance + ft_words))
ft_expression = pp.Forward()
ft_operand = (
    Terminal(rf"s(?=[){_kinds('ftAND', 'ftOR')}]|\Z)", None)  # a string and nothing else, the commonest
    | ft_near
    | rule("ft_not", pp.OneOrMore(keyword("ftNOT")), ft_near | lparen + ft_expression + rparen)
    | lparen + ft_expression + rparen
)
ft_operator = Terminal(f"[{_kinds('ftAND', 'ftOR')}]", "ftAND or ftOR")
ft_expression <<= rule("ft_expression", ft_operand, pp.ZeroOrMore(ft_operator + ft_operand))
ft_contains = rule("ft_contains", keyword("ftcontains").suppress(), lparen, var, comma, ft_expression, rparen)

# --- expressions [110-128] --------------------------------------------------------------------------------------------

expression = pp.Forward()
group_graph_pattern = pp.Forward()
arguments = rule("arguments", nil.suppress() | lparen + many(comma, expression) + rparen)  # [71, 72]
builtin_call = rule(  # [121]
    "call", Terminal(f"[{_kinds(*ARITY)}]", "a function"), arguments
)
function_call = rule("function_call", Terminal(rf"{_IRI}(?=\()", None), arguments)  # [70, 128]
exists = rule("exists", keyword("EXISTS").suppress(), group_graph_pattern)  # [125]
not_exists = rule("not_exists", keyword("NOT").suppress(), keyword("EXISTS").suppress(), group_graph_pattern)  # [126]
bracketted = rule("bracketted", lparen, expression, rparen)  # [120]
constraint = bracketted | builtin_call | ft_contains | exists | not_exists | function_call  # [69]
leaf = rule("leaf", Terminal(rf"v|{_LITERAL}|{_IRI}(?!\()", "a value"))  # [119] but for brackets and calls
primary = leaf | constraint  # [119]
unary = (  # [118]
    leaf
    | rule("not", Terminal("!", "'!'").suppress(), primary)
    | rule("sign", Terminal("[+-]", "'+' or '-'"), primary)
    | constraint
)
operation = rule("operation", Terminal("[OA=NLG<>+*/-]", None), unary)  # [111-117]
signed_number = rule("signed_number", Terminal("[DEF]", None))  # [116] `?x -1` is a subtraction without a space
in_list = rule("in", pp.Optional(keyword("NOT")), keyword("IN"), arguments)  # [114]
more = Terminal(rf"(?=[OA=NLG<>+*/DEF\-{_kinds('NOT', 'IN')}])", "an operator").suppress()
expression <<= rule(  # [110-117]
    "expression", unary, pp.ZeroOrMore(more + (operation | signed_number | in_list))
)

# --- property paths [88-96] -------------------------------------------------------------------------------------------

path = pp.Forward()
path_iri = Terminal(_PREDICATE, "a predicate")
path_one = rule("path_one", pp.Optional(Terminal(r"\^", "'^'")), path_iri)  # [96]
path_negated = rule(  # [95]
    "path_negated",
    Terminal("!", "'!'").suppress(),
    path_one | lparen + pp.Optional(many(symbol("|"), path_one)) + rparen,
)
path_primary = path_iri | path_negated | lparen + path + rparen  # [94]
path_element = rule("path_element", path_primary, pp.Optional(Terminal(_PATH_OPERATOR, "a path operator")))  # [91, 93]
path_inverse = rule("path_inverse", Terminal(r"\^", "'^'").suppress(), path_element) | path_element  # [92]
path_sequence = rule("path_sequence", many(symbol("/"), path_inverse))  # [90]
path <<= rule("path_alternative", many(symbol("|"), path_sequence))  # [88, 89]

# --- triples [75-87, 98-105] ------------------------------------------------------------------------------------------

property_list = pp.Forward()
node = pp.Forward()
collection = rule("collection", lparen, pp.OneOrMore(node), rparen)  # [102, 103]
blank_node_property_list = rule("property_list_node", lbracket, property_list, rbracket)  # [99, 101]
triples_node = collection | blank_node_property_list  # [98, 100]
node <<= var_or_term | triples_node  # [104, 105]
object_list = rule("objects", many(comma, node))  # [79, 86]
verb_objects = rule("verb", simple_verb | path, object_list)  # [77, 83]
property_list <<= rule(  # [77, 83]
    "property_list", verb_objects, pp.ZeroOrMore(pp.OneOrMore(semicolon) + pp.Optional(verb_objects))
)
triples = rule(  # [75, 81]
    "triples", var_or_term + property_list | triples_node + pp.Optional(property_list)
)

# --- graph patterns [53-69] -------------------------------------------------------------------------------------------

data_value = Terminal(f"{_LITERAL}|{_IRI}|{_kinds('UNDEF')}", "a constant or UNDEF")  # [65]
data_row = rule("row", nil.suppress() | lparen + pp.ZeroOrMore(data_value) + rparen)  # [64]
inline_data = (  # [61-64]
    rule("values_one", keyword("VALUES").suppress(), var, lbrace, pp.ZeroOrMore(data_value), rbrace)
    | rule(
        "values",
        keyword("VALUES").suppress(),
        rule("variables", nil.suppress() | lparen + pp.ZeroOrMore(var) + rparen),
        lbrace,
        pp.ZeroOrMore(data_row),
        rbrace,
    )
)
filter_ = rule("filter", keyword("FILTER").suppress(), constraint)  # [68]
optional = rule("optional", keyword("OPTIONAL").suppress(), group_graph_pattern)  # [57]
minus = rule("minus", keyword("MINUS").suppress(), group_graph_pattern)  # [66]
graph = rule("graph", keyword("GRAPH").suppress(), var | iri, group_graph_pattern)  # [58]
bind = rule(  # [60]
    "bind", keyword("BIND").suppress(), lparen, expression, keyword("AS").suppress(), var, rparen
)
union = rule("union", many(keyword("UNION").suppress(), group_graph_pattern))  # [67]
not_triples = optional | union | minus | graph | bind | inline_data  # [56]
_OTHER_PATTERNS = _kinds("FILTER", "OPTIONAL", "MINUS", "GRAPH", "SERVICE", "BIND", "VALUES")
_TRIPLES_END = rf"(?:\.|(?=[{{}}{_OTHER_PATTERNS}]))"
triples_end = Terminal(_TRIPLES_END, "'.' or '}'").suppress()  # [55] a dot, or another kind of pattern
plain_triple = rule(  # [75, 81] of three tokens and the end: no rule is needed for what most triples are
    "plain_triple",
    Terminal(rf"{_ONE_TOKEN}[v*ipna{_NAMES}]{_ONE_TOKEN}{_TRIPLES_END}", None),
)
group_graph_pattern <<= rule(  # [53, 54]
    "group",
    lbrace,
    pp.ZeroOrMore(plain_triple | filter_ + pp.Optional(dot) | triples + triples_end | not_triples + pp.Optional(dot)),
    rbrace,
)

# --- queries [1-17] ---------------------------------------------------------------------------------------------------

base = rule("base", keyword("BASE").suppress(), Terminal("i", "an IRI in angle brackets"))  # [5]
prefix = rule(  # [6]
    "prefix",
    keyword("PREFIX").suppress(),
    Terminal("n", "a prefix ending in ':'"),
    Terminal("i", "an IRI in angle brackets"),
)
prologue = rule("prologue", pp.ZeroOrMore(base | prefix))  # [4]
where = pp.Optional(keyword("WHERE").suppress()) + group_graph_pattern  # [17]
select = rule(  # [7, 9]
    "select",
    keyword("SELECT").suppress(),
    rule("modifier", pp.Optional(keyword("DISTINCT") | keyword("REDUCED"))),
    rule("projection", Terminal(r"\*", "'*'").suppress() | pp.OneOrMore(var)),
    where,
)
ask = rule("ask", keyword("ASK").suppress(), where)  # [12]
template_end = Terminal(r"\.|(?=\})", "'.' or '}'").suppress()
template = rule("template", lbrace, pp.ZeroOrMore(triples + template_end), rbrace)  # [52, 73, 74]
construct = rule("construct", keyword("CONSTRUCT").suppress(), template, where) | rule(  # [10]
    "construct_where", keyword("CONSTRUCT").suppress(), keyword("WHERE").suppress(), template
)
query = rule("query", prologue, select | ask | construct, pp.Optional(inline_data), end)  # [1, 2, 28]
ft_whole = rule("ft_whole", ft_expression, end)  # ours

_FRAMES_PER_LEVEL: Final = 40  # pyparsing's own frames for one more pair of brackets, measured and rounded up


def parse_query_tree(kinds: str) -> Tree:
    """The tree of a whole query."""
    return _parse(query, kinds)


def parse_ft_tree(kinds: str) -> Tree:
    """The tree of a full-text expression alone, as it stands in the string of the portable spelling."""
    return _parse(ft_whole, kinds)


def _parse(start: pp.ParserElement, kinds: str) -> Tree:
    with _lock:
        _furthest.index, _furthest.expected = 0, {}
        try:
            return _with_stack(depth(kinds) * _FRAMES_PER_LEVEL, lambda: start.parse_string(kinds)[0])
        except pp.ParseBaseException:
            raise ParseFailure(_furthest.index, tuple(_furthest.expected)) from None


def _with_stack(frames: int, parse: Callable[[], Tree]) -> Tree:
    """Parse with room for that many more stack frames than usual: brackets nest, and pyparsing recurses."""
    limit = sys.getrecursionlimit()
    if frames < limit // 4:
        return parse()
    sys.setrecursionlimit(limit + frames)
    try:
        return parse()
    finally:
        sys.setrecursionlimit(limit)


for _rule in (query, ft_whole):
    _rule.leave_whitespace()
