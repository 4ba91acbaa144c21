"""Conditions that hold of a term, and full text that holds of a literal: what grown queries ask for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sparql_ft.nodes import (
    Arithmetic,
    Call,
    Compare,
    Expression,
    FtAnd,
    FtContains,
    FtExpression,
    FtNear,
    FtNot,
    FtOr,
    FtWords,
    FunctionCall,
    In,
    Sign,
)
from sparql_ft.terms import IRI, XSD_DOUBLE, XSD_INTEGER, XSD_STRING, BlankNode, Literal, Term, Variable
from tests.oracles.fulltext_bruteforce import read
from tests.oracles.trees import NUMBERS, kind
from tests.strategies import CANONICAL, ODD, SUBJECTS
from tests.unusual_literals import ODD_FORMS, UNICODE

__all__ = ["LITERALS", "WORDS", "computed", "true_of"]

LITERALS: Sequence[Literal] = (*CANONICAL, *CANONICAL, *CANONICAL, *ODD, *ODD, *ODD_FORMS, *UNICODE)
WORDS: Sequence[FtExpression] = (FtWords("x"), FtWords("y z"), FtWords("absent"), FtWords("1"), FtNot(FtWords("x")))
_ORDERED = {*NUMBERS, "string", "boolean", "dateTime"}


def true_of(variable: Variable, term: Term, rng: Random) -> Expression:
    """A condition on a variable that holds if it stands for the term, or nearly always."""
    constant = _like(term, rng)
    tests: list[Expression] = [Call("BOUND", (variable,))]
    if isinstance(term, Literal):
        tests += [FtContains(variable, _true_text(term.lexical, rng))] * 5
        tests += [_of_literal(variable, term, rng)] * 3
    if not isinstance(term, BlankNode):
        tests += [Compare("=", variable, term), Call("SAMETERM", (term, variable))]
        tests.append(In(variable, (term, constant) if rng.random() < 0.5 else (constant, term)))
    if kind(term) in _ORDERED:
        tests.append(Compare("<=", term, variable))
    tests.append(Compare(rng.choice(["!=", "<", ">="]), variable, constant))
    return rng.choice(tests)


def _like(term: Term, rng: Random) -> IRI | Literal:
    """A constant, mostly of the kind of the term."""
    every = [*SUBJECTS, *LITERALS]
    own = "IRI" if isinstance(term, BlankNode) else kind(term)  # no constant is a blank node
    kinds = NUMBERS if own in NUMBERS else {own}
    return rng.choice([each for each in every if kind(each) in kinds] if rng.random() < 0.7 else every)


def _of_literal(variable: Variable, term: Literal, rng: Random) -> Expression:
    """About its text, its language, its datatype or its value."""
    text = Call("STR", (variable,))
    first = Literal(term.lexical[:1])
    tests: list[Expression] = [
        Call("REGEX", (text, first)) if first.lexical.isalnum() else Call("CONTAINS", (text, first)),
        Call(rng.choice(["CONTAINS", "STRSTARTS"]), (text, first)),
        Compare("=", Call("STRLEN", (text,)), Literal(str(len(term.lexical)), XSD_INTEGER)),
        Compare("=", Call("LANG", (variable,)), Literal(term.language or "")),
        Compare("=", Call("DATATYPE", (variable,)), IRI(term.datatype)),
        Compare("=", Call("UCASE", (text,)), Literal(term.lexical.upper())),
        Compare("=", FunctionCall(IRI(XSD_STRING), (text,)), Literal(term.lexical)),
    ]
    if kind(term) in NUMBERS:
        more = Arithmetic(variable, (("+", Literal("1", XSD_INTEGER)),))
        same = FunctionCall(IRI(XSD_DOUBLE), (variable,))
        tests += [Call("ISNUMERIC", (variable,)), Compare(">", more, variable), Compare("=", same, variable)]
    return rng.choice(tests)


def computed(variable: Variable, rng: Random) -> Expression:
    """What BIND computes of a variable; errors among it."""
    return rng.choice(
        [
            variable,
            variable,
            Call("STR", (variable,)),
            Call("COALESCE", (variable, Literal("x"))),
            Call("IF", (Call("ISIRI", (variable,)), variable, Literal("x y"))),
            Call("CONCAT", (Call("STR", (variable,)), Literal("x"))),
            Call("LANG", (variable,)),
            Arithmetic(variable, (("+", Literal("1", XSD_INTEGER)),)),
            Sign("-", variable),
            rng.choice(CANONICAL),
        ]
    )


def _true_text(lexical: str, rng: Random) -> FtExpression:
    """Full text that holds of a lexical form, if it has words at all."""
    words, other = read(lexical, FtWords("")), rng.choice(WORDS)
    if not words:
        return other
    word = FtWords(rng.choice([*words, " ".join(words)]))
    return rng.choice(
        [
            word,
            word,
            FtOr((other, word)),
            FtAnd((word, FtNot(FtWords("absent")))),
            FtNot(other),
            FtWords(rng.choice(words)[:1] + "*", wildcards=True),
            FtWords("?" * len(rng.choice(words)), wildcards=True),
            FtWords(rng.choice(read(lexical, FtWords("", case_sensitive=True))), case_sensitive=True),
            FtWords(rng.choice(words), diacritics_insensitive=True),
            FtWords(rng.choice(words), stemming=True, language=rng.choice(["en", "de", "fr"])),
            _near(words, rng),
        ]
    )


def _near(words: list[str], rng: Random) -> FtExpression:
    """Two words in their order, with a gap that may be too small; the only one without another."""
    if len(words) == 1:
        return FtWords(words[0])
    first, second = sorted(rng.sample(range(len(words)), 2))
    least = rng.choice([0, 0, second - first - 1])
    most = rng.choice([None, max(least, second - first - 1), least])
    return FtNear((FtWords(words[first]), FtWords(words[second])), ((least, most),))
