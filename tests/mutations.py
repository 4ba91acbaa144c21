"""Texts that are almost queries: random mutations of valid ones, always the same for the same seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

__all__ = ["LANGUAGE", "PLAIN", "mutants"]

PLAIN = (
    "{ } ( ) [ ] . ; , ^ | / * + - ! = != < > <= >= ? $ && || ^^ @en @ # \\ ' \" _ : :: <> <a> <b#c> a: a:b ex:c :d "
    "_:x [] () ?x $y ?o 1 -2 +3 1.5 .5 1e9 -1.0E-3 true FALSE 'text' \"text\"@en 'v'^^<t> '''long''' a name "
    "BASE PREFIX SELECT CONSTRUCT ASK DISTINCT REDUCED AS WHERE VALUES UNDEF OPTIONAL GRAPH BIND UNION MINUS FILTER IN "
    "NOT EXISTS BOUND IF COALESCE REGEX STR LANG CONCAT isIRI sameTerm NOW RAND BNODE "
    "DESCRIBE FROM NAMED GROUP BY HAVING ORDER LIMIT OFFSET SERVICE COUNT SUM INSERT DELETE << >> {| |} ~ LATERAL"
).split(" ")
"""Tokens of SPARQL, and characters that are none."""

LANGUAGE = (
    *PLAIN,
    *"ftcontains ftAND ftOR ftNOT ftNEAR ftNEAR[0,2] ftNEAR[3,1] ft:contains ftNEER ft_and FLITER 'w*'".split(" "),
    *"using wildcards stemming language case sensitive insensitive diacritics".split(" "),
    *"“ é \u0301 日 \r\n \u2028 \ufeff \\u0041 \\uD800 \x00".split(" "),
)
"""Those of full text too, and what editors put in."""

_PIECE = re.compile(r"\s+|[?$]?\w+|\"[^\"\n]*\"|<[^<>\s]*>|.", re.DOTALL)


def mutants(texts: Sequence[str], seed: int, count: int, tokens: Sequence[str] = LANGUAGE) -> Iterator[str]:
    """`count` texts, each made from one or two of `texts` by one to three changes."""
    random = Random(seed)
    for _ in range(count):
        text = random.choice(texts)
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            change = random.choice((_of_characters, _of_tokens, _of_tokens, _splice))
            text = change(random, text, texts, tokens)
        yield text


def _of_characters(random: Random, text: str, _: Sequence[str], tokens: Sequence[str]) -> str:
    return "".join(_changed(random, list(text), [character for token in tokens for character in token]))


def _of_tokens(random: Random, text: str, _: Sequence[str], tokens: Sequence[str]) -> str:
    return "".join(_changed(random, _PIECE.findall(text), tokens))


def _changed(random: Random, pieces: list[str], others: Sequence[str]) -> list[str]:
    """One piece deleted, doubled, moved, exchanged for its neighbour or another, or one more."""
    if not pieces:
        return [random.choice(others)]
    place, other = random.randrange(len(pieces)), random.randrange(len(pieces))
    match random.randrange(6):
        case 0:
            del pieces[place]
        case 1:
            pieces.insert(place, pieces[place])
        case 2:
            pieces[place], pieces[other] = pieces[other], pieces[place]
        case 3:
            pieces[place] = random.choice(others)
        case 4:
            pieces.insert(place, f" {random.choice(others)} ")
        case _:
            pieces[place] = pieces[other]
    return pieces


def _splice(random: Random, text: str, texts: Sequence[str], _: Sequence[str]) -> str:
    """The beginning of one text and the end of another, cut between tokens."""
    head, tail = _PIECE.findall(text), _PIECE.findall(random.choice(texts))
    return "".join([*head[: random.randrange(len(head) + 1)], *tail[random.randrange(len(tail) + 1) :]])
