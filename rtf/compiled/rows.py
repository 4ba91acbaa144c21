"""Publications as rows of terms in N-Triples syntax, which is what the kernel reads."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rtf.columns import COLUMNS, PublicationColumns
from rtf.compiled.folding import is_simple
from rtf.compiled.kernel.arrays import BOUNDS, GRAPH, OBJECT, PREDICATE, SUBJECT
from rtf.compiled.kernel.publications import split_cells
from sparql_ft.analyser import Analysis, analyse
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, XSD_STRING, BlankNode, Literal, Term, Triple

__all__ = ["Rows", "encode", "read_only", "rows_of"]

Octets: TypeAlias = npt.NDArray[np.uint8]

_ESCAPED: Final = re.compile(r'[\\"\x00]')
_ESCAPES: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\0": r"\u0000"})
_LANGUAGE: Final = re.compile("[a-z0-9-]+")


class Rows(NamedTuple):
    """Columns of terms in N-Triples syntax.

    `bounds` has two parts for each column, where its cells begin and where they end: SUBJECT, PREDICATE, OBJECT, GRAPH
    and WORDS_OF tell which. An empty cell is none. The words of a literal stand there in all readings if somebody else
    has read it: a byte 1 and a character for the reading, from `0` on, then each word after a space.
    """

    subjects: Octets
    predicates: Octets
    objects: Octets
    graphs: Octets
    words: Octets
    bounds: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]  # the rows at which publications begin, and one more


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same memory, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


_NOTHING: Final = np.frombuffer(bytes(8), np.uint8)


def rows_of(batch: PublicationColumns) -> Rows:
    """The columns of a batch; their bytes are not copied."""
    bounds = np.zeros((BOUNDS, batch.triples), np.int64)
    subjects, predicates, objects = (
        _column(batch.columns[name], bounds, place)
        for name, place in zip(COLUMNS[1:], (SUBJECT, PREDICATE, OBJECT), strict=True)
    )
    graphs = _NOTHING if batch.graphs is None else _column(batch.graphs.fill_null(""), bounds, GRAPH)
    return Rows(subjects, predicates, objects, graphs, _NOTHING, bounds.reshape(-1), read_only(batch.starts))


def _column(column: pa.Array, bounds: npt.NDArray[np.int64], place: int) -> Octets:
    _, offsets, data = column.buffers()
    starts = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    bounds[place], bounds[place + 1] = starts[:-1], starts[1:]
    return _NOTHING if data is None or data.size == 0 else read_only(np.frombuffer(data, np.uint8))


def encode(
    publication: Publication,
    analyses: Sequence[Analysis],
    searched: Collection[str] | None,
    *,
    all_words: bool = False,
) -> tuple[Rows, Sequence[Triple]]:
    """A publication as rows, and its triples in the order in which they stand there, those of a subject together.

    A text of simple characters the kernel reads by itself, unless it asked for `all_words`; others it is told the words
    of. `analyses` are the readings by number, the default one first. `searched` are the predicates whose objects
    anybody looks at for words, None if that may be any.
    """
    triples = _by_subject(publication.triples)
    joined, literals = _plain_cells(triples, analyses, searched, all_words=all_words)
    if "\\" in joined or joined.count("\0") != 4 * len(triples) or joined.count('"') != 2 * literals:
        joined = "".join(_escaped_cells(triples, analyses, searched, all_words=all_words))
    data = np.frombuffer(joined.encode(errors="surrogatepass") or b"\0", np.uint8)
    n = max(len(triples), 1)
    bounds = np.zeros(BOUNDS * n, np.int64)
    if triples:
        split_cells(data, bounds)
    graph = _NOTHING
    if publication.graph is not None:
        graph = np.frombuffer(_cell(publication.graph).encode(errors="surrogatepass"), np.uint8)
        bounds[(GRAPH + 1) * n] = len(graph)
    return Rows(data, data, data, graph, data, bounds, _from_zero(len(triples))), triples


def _plain_cells(
    triples: Sequence[Triple], analyses: Sequence[Analysis], searched: Collection[str] | None, *, all_words: bool
) -> tuple[str, int]:
    """The cells of rows, each with a zero behind it (subject, predicate, object, words), and the number of literals.

    Nothing is escaped, because hardly anything has to be: whoever calls looks at all of it at once.
    """
    rows = []
    literals = 0
    current, name = None, ""
    for subject, predicate, object_ in triples:
        if subject is not current:
            current, name = subject, f"<{subject.value}>" if isinstance(subject, IRI) else f"_:{subject.label}"
        words = ""
        if isinstance(object_, Literal):
            literals += 1
            lexical = object_.lexical
            last = f'"{lexical}"{_suffix(object_.datatype, object_.language)}'
            if (searched is None or predicate.value in searched) and (all_words or not is_simple(lexical)):
                words = _words(lexical, analyses)
        else:
            last = f"<{object_.value}>" if isinstance(object_, IRI) else f"_:{object_.label}"
        rows.append(f"{name}\0<{predicate.value}>\0{last}\0{words}\0")
    return "".join(rows), literals


def _escaped_cells(
    triples: Sequence[Triple], analyses: Sequence[Analysis], searched: Collection[str] | None, *, all_words: bool
) -> Iterator[str]:
    """The same for terms with anything in them."""
    for subject, predicate, object_ in triples:
        words = ""
        if isinstance(object_, Literal):
            last = f'"{object_.lexical.translate(_ESCAPES)}"{_suffix(object_.datatype, object_.language)}'
            if (searched is None or predicate.value in searched) and (all_words or not is_simple(object_.lexical)):
                words = _words(object_.lexical, analyses)
        else:
            last = _cell(object_)
        yield f"{_cell(subject)}\0{_cell(predicate)}\0{last}\0{words}\0"


@lru_cache(1 << 10)
def _from_zero(count: int) -> npt.NDArray[np.int64]:
    """The rows of one publication."""
    return read_only(np.array([0, count], np.int64))


def _cell(term: IRI | BlankNode) -> str:
    """A term as the kernel reads it. An IRI that no query can name, because it is none, is as good as a blank node."""
    if isinstance(term, IRI) and _ESCAPED.search(term.value) is None:
        return f"<{term.value}>"
    return f"_:{term}".replace("\0", "\x01")


@lru_cache(1 << 10)
def _suffix(datatype: str, language: str | None) -> str:
    """What stands behind a literal, likewise."""
    if language is not None and _LANGUAGE.fullmatch(language) is not None:
        return f"@{language}"
    if language is not None or _ESCAPED.search(datatype) is not None:
        return "^^<\x01>"
    return "" if datatype == XSD_STRING else f"^^<{datatype}>"


def _words(text: str, analyses: Sequence[Analysis]) -> str:
    readings = (
        f"\x01{chr(48 + number)}{''.join([' ' + word for word in analyse(text, analysis)])}"
        for number, analysis in enumerate(analyses)
    )
    return "".join(readings)


def _by_subject(triples: tuple[Triple, ...]) -> Sequence[Triple]:
    first = triples[0][0] if triples else None
    if all(triple[0] is first or triple[0] == first for triple in triples):
        return triples
    groups: dict[Term, list[Triple]] = {}
    for triple in triples:
        groups.setdefault(triple[0], []).append(triple)
    return [triple for group in groups.values() for triple in group]
