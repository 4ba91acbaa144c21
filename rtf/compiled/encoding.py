r"""Terms and texts as bytes: what the dictionary of a frozen index holds, and what the kernel reads of a publication.

Terms have the keys of `rtf.index.keys`; that of a word is `W`, the number of an analysis as a character, and the word.
Fields are separated by \0. So that none stands in a field, \0 and \x02 are escaped, by characters that are no part of a
word.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rtf.compiled.folding import is_simple
from rtf.compiled.sections import WORD_KIND
from rtf.index.keys import NO_KEY, term_key
from sparql_ft.analyser import Analysis, analyse
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, XSD_STRING, Literal, Term, Triple

__all__ = ["dictionary_string", "encode", "word_key"]

_FIRST: Final = 32  # the character of analysis 0; the others follow
_NO_GRAPH: Final = "N"


def word_key(number: int, form: str) -> str:
    """The key of a word in the reading of that number."""
    return f"W{chr(_FIRST + number)}{form}"


def dictionary_string(key: str) -> tuple[int, bytes]:
    """A key as the dictionary has it: its kind, and the rest as bytes."""
    if key[0] == "W":
        return WORD_KIND + ord(key[1]) - _FIRST, _to_bytes([key[2:]])
    return ord(key[0]), _to_bytes([key[1:]])


def _to_bytes(fields: Sequence[str]) -> bytes:
    """Fields as bytes, with a zero between them."""
    joined = "\0".join(fields)
    if "\x02" in joined or joined.count("\0") != len(fields) - 1:
        joined = "\0".join(field.replace("\x02", "\x02\x02").replace("\0", "\x02\x03") for field in fields)
    return joined.encode(errors="surrogatepass")


def encode(
    publication: Publication,
    analyses: Sequence[Analysis],
    searched: Collection[str] | None,
    *,
    all_words: bool = False,
) -> tuple[bytes, Sequence[Triple]]:
    """A publication as bytes, and its triples in the order in which they stand there.

    First the key of its graph, `N` if it has none; then, subject by subject, `S` and the key of the subject, and for
    each triple of it the keys of predicate and object. A text of simple characters the kernel reads by itself,
    unless it asked for `all_words`; after any other come its words in each reading: `T`, the number of the analysis,
    and each word after a space.

    `analyses` are the readings by number, the default one first. `searched` are the predicates whose objects anybody
    looks at for words, None if that may be any.
    """
    fields = [_NO_GRAPH if publication.graph is None else term_key(publication.graph)]
    add = fields.append
    triples = _by_subject(publication.triples)
    current = None
    for triple in triples:
        subject, predicate, object_ = triple
        if subject is not current:
            if subject != current:
                add("S" + term_key(subject))
            current = subject
        name = predicate.value
        add("I" + name)
        if isinstance(object_, IRI):
            add("I" + object_.value)
        elif isinstance(object_, Literal):
            lexical, language = object_.lexical, object_.language
            if language is not None:
                add(f"L@{language}\x01{lexical}")
            elif object_.datatype == XSD_STRING:
                add(f"L\x01{lexical}")
            else:
                add(f"L{object_.datatype}\x01{lexical}")
            if (searched is None or name in searched) and (all_words or not is_simple(lexical)):
                for number, analysis in enumerate(analyses):
                    words = analyse(lexical, analysis)
                    add(f"T{chr(_FIRST + number)}{''.join(' ' + word for word in words)}")
        else:
            add(NO_KEY)
    return _to_bytes(fields), triples


def _by_subject(triples: tuple[Triple, ...]) -> Sequence[Triple]:
    first = triples[0][0] if triples else None
    if all(triple[0] is first or triple[0] == first for triple in triples):
        return triples
    groups: dict[Term, list[Triple]] = {}
    for triple in triples:
        groups.setdefault(triple[0], []).append(triple)
    return [triple for group in groups.values() for triple in group]
