r"""Terms and texts as bytes: what the dictionary of a frozen index holds, and what the kernel reads of a publication.

Terms have the keys of `rtf.index.keys`; that of a word is `W`, the number of an analysis as a character, and the word.
Fields are separated by \0. So that none stands in a field, \0 and \x02 are escaped, by characters that are no part of a
word.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rtf.compiled.folding import is_simple
from rtf.index.keys import NO_KEY, term_key
from sparql_ft.analyser import Analysis, analyse
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, Literal, Term, Triple

__all__ = ["encode", "to_bytes", "word_key"]

_FIRST: Final = 32  # the character of analysis 0; the others follow


def word_key(number: int, form: str) -> str:
    """The key of a word in the reading of that number."""
    return f"W{chr(_FIRST + number)}{form}"


def to_bytes(fields: Sequence[str]) -> bytes:
    """Fields as bytes, with a zero between them."""
    joined = "\0".join(fields)
    if "\x02" in joined or joined.count("\0") != len(fields) - 1:
        joined = "\0".join(field.replace("\x02", "\x02\x02").replace("\0", "\x02\x03") for field in fields)
    return joined.encode(errors="surrogatepass")


def encode(
    publication: Publication, analyses: Sequence[Analysis], searched: Collection[str] | None
) -> tuple[bytes, Sequence[Triple]]:
    """A publication as bytes, and its triples in the order in which they stand there.

    First the name of its graph; then, subject by subject, `S` and the key of the subject, and for each triple of it the
    keys of predicate and object. After a literal come its words in the readings that the kernel does not make itself:
    `T`, the number of the analysis, and each word after a space. A text of simple characters it reads by itself in the
    default way.

    `analyses` are the readings by number, the default one first. `searched` are the predicates whose objects anybody
    looks at for words, None if that may be any.
    """
    fields = [term_key(publication.graph)]
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
            add(f"L{object_.datatype if language is None else '@' + language}\x01{lexical}")
            if searched is None or name in searched:
                for number, analysis in enumerate(analyses):
                    if number or not is_simple(lexical):
                        words = analyse(lexical, analysis)
                        add(f"T{chr(_FIRST + number)}{''.join(' ' + word for word in words)}")
        else:
            add(NO_KEY)
    return to_bytes(fields), triples


def _by_subject(triples: tuple[Triple, ...]) -> Sequence[Triple]:
    first = triples[0][0] if triples else None
    if all(triple[0] is first or triple[0] == first for triple in triples):
        return triples
    groups: dict[Term, list[Triple]] = {}
    for triple in triples:
        groups.setdefault(triple[0], []).append(triple)
    return [triple for group in groups.values() for triple in group]
