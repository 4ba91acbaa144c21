"""Publications: what is matched against the queries. A finite set of RDF triples with an id.

Data is read by pyoxigraph's parser (not its store), which keeps lexical forms as written: "01"^^xsd:integer stays "01".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import pyoxigraph as ox

from sparql_ft.convert import from_pyoxigraph, from_rdflib, to_term
from sparql_ft.iri import DEFAULT_BASE, is_absolute, is_valid_iri, resolve
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Triple

if TYPE_CHECKING:
    import rdflib

__all__ = [
    "FORMATS",
    "UNNAMED",
    "GraphName",
    "Publication",
    "PublicationError",
    "format_name",
    "publication_id",
    "read_triples",
]

GraphName: TypeAlias = IRI | BlankNode

FORMATS: Final = {
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "ttl": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "xml": ox.RdfFormat.RDF_XML,
}
_ALIASES: Final = {
    "ntriples": "nt",
    "n-triples": "nt",
    "nquads": "nq",
    "n-quads": "nq",
    "turtle": "ttl",
    "json-ld": "jsonld",
    "json": "jsonld",
    "rdf": "xml",
    "rdfxml": "xml",
    "owl": "xml",
}
UNNAMED: Final = "urn:rtf:publication"
"""The id of a publication that nobody named, and that has no single subject to be named after."""

_RDFLIB_DEFAULT: Final = "urn:x-rdflib:default"  # what rdflib calls the default graph of a dataset


class PublicationError(ValueError):
    """Data that makes no publication: what is wrong, where if the parser knows (counted from 1), and what to do."""

    def __init__(
        self, message: str, line: int | None = None, column: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, line, column, hint)  # all of them, so that the error survives pickling
        self.message = message
        self.line = line
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}, column {self.column}: "
        return f"{place}{self.message}" + (f"\n{self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Publication:
    """A set of triples with an id; equal to another with the same id, graph and set.

    The triples are kept in the order given, each once. `graph` is the publication's own named graph, which GRAPH sees;
    None if it has none. `id` is plain text: an IRI without angle brackets, or `_:label`. The terms are taken as they
    are; `parse`, `from_triples` and `from_graph` see to it that IRIs are absolute and that triples are triples.
    """

    id: str
    triples: tuple[Triple, ...]
    graph: GraphName | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "triples", tuple(dict.fromkeys(self.triples)))

    @staticmethod
    def parse(
        data: bytes | str,
        format: str = "nt",
        id: str | None = None,
        base: str | None = None,
    ) -> Publication:
        """The whole of the data as one publication: one graph, with any number of subjects.

        Without `id` it is named after its graph, or else its only subject IRI (blank nodes beside it do no harm), or
        else its only subject, a blank node; failing all that its id is `UNNAMED`.
        """
        graphs: dict[GraphName | None, list[Triple]] = {}
        for triple, graph in read_triples(data, format, base):
            graphs.setdefault(graph, []).append(triple)
        if len(graphs) > 1:
            names = ", ".join("the default graph" if name is None else str(name) for name in list(graphs)[:3])
            raise PublicationError(
                f"the data holds {len(graphs)} graphs ({names}{', …' if len(graphs) > 3 else ''}), not one",
                hint="Publication.parse_many makes a publication of each",
            )
        name, triples = next(iter(graphs.items()), (None, []))
        return Publication(_name(triples, name) if id is None else id, tuple(triples), name)

    @staticmethod
    def parse_many(
        data: bytes | str,
        format: str = "nt",
        base: str | None = None,
        file: str | None = None,
    ) -> list[Publication]:
        """A publication for each named graph, and one for each subject of the default graph, as they first appear.

        Blank node labels are scoped to their file, so its name, if given, is part of the id of a blank subject or
        graph. A graph and a subject of the default graph may have the same name; they are two publications then.
        """
        groups: dict[tuple[GraphName, bool], list[Triple]] = {}
        for triple, graph in read_triples(data, format, base):
            key = (triple[0], False) if graph is None else (graph, True)
            groups.setdefault(key, []).append(triple)
        return [
            Publication(publication_id(name, file), tuple(triples), name if is_graph else None)
            for (name, is_graph), triples in groups.items()
        ]

    @staticmethod
    def from_triples(
        triples: Iterable[tuple[object, object, object]],
        id: str | None = None,
        *,
        graph: object = None,
        base: str | None = None,
    ) -> Publication:
        """A publication of triples whose terms are ours, rdflib's or pyoxigraph's; relative IRIs meet the base.

        Without `id` it is named as by `parse`.
        """
        base = _checked_base(base)
        read = tuple(_checked_triple(triple, base) for triple in triples)
        name = None if graph is None else _checked_term(graph, base)
        if isinstance(name, Literal):
            raise PublicationError(f"{name} cannot name a graph", hint="give an IRI or a blank node")
        return Publication(_name(read, name) if id is None else id, read, name)

    @staticmethod
    def from_graph(
        graph: rdflib.Graph,
        id: str | None = None,
        base: str | None = None,
    ) -> Publication:
        """A publication of an rdflib graph; a graph whose identifier is an IRI is a named graph.

        rdflib's parsers may have changed lexical forms ("01" to "1") long before; `parse` does not.
        """
        import rdflib

        if isinstance(graph, rdflib.ConjunctiveGraph):  # Dataset is one too
            raise PublicationError(
                f"a {type(graph).__name__} may hold many graphs", hint="give one of them, such as one of .contexts()"
            )
        unnamed = not isinstance(graph.identifier, rdflib.URIRef) or str(graph.identifier) == _RDFLIB_DEFAULT
        return Publication.from_triples(graph, id, graph=None if unnamed else from_rdflib(graph.identifier), base=base)

    def __len__(self) -> int:
        return len(self.triples)

    def __iter__(self) -> Iterator[Triple]:
        return iter(self.triples)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Publication):
            return NotImplemented
        return (self.id, self.graph, frozenset(self.triples)) == (other.id, other.graph, frozenset(other.triples))

    def __hash__(self) -> int:
        return hash((self.id, self.graph, frozenset(self.triples)))

    def __repr__(self) -> str:
        graph = "" if self.graph is None else f", graph {self.graph}"
        return f"<Publication {self.id}: {len(self)} triple{'' if len(self) == 1 else 's'}{graph}>"


def publication_id(name: GraphName, file: str | None = None) -> str:
    """The id of a publication named after a subject or a graph: `_:<file>_<label>` for a blank node of a file."""
    if isinstance(name, IRI):
        return name.value
    return f"_:{name.label}" if file is None else f"_:{file}_{name.label}"


def format_name(name: str) -> str:
    """The format (a key of FORMATS) that a name or a file's ending stands for; PublicationError if none."""
    key = name.lower().removeprefix(".")
    key = _ALIASES.get(key, key)
    if key not in FORMATS:
        raise PublicationError(f"unknown format {name!r}", hint=f"the formats are {', '.join(FORMATS)}")
    return key


# --- reading ----------------------------------------------------------------------------------------------------------


def read_triples(data: bytes | str, format: str, base: str | None = None) -> list[tuple[Triple, GraphName | None]]:
    """All the triples of the data as they come, each with its graph (None is the default graph)."""
    name = format_name(format)
    base = _checked_base(base)
    try:
        octets = data.encode() if isinstance(data, str) else data
        quads = list(ox.parse(octets, format=FORMATS[name], base_iri=base))
    except SyntaxError as error:
        raise _syntax_error(error, name) from error
    except ValueError as error:  # half a surrogate pair in a str
        raise PublicationError(f"cannot read the data as {name}: {error}") from error
    terms = _Terms(octets)
    read = []
    for quad in quads:
        try:
            triple = cast(Triple, (terms[quad.subject], terms[quad.predicate], terms[quad.object]))
        except ValueError as error:
            raise PublicationError(
                f"{error} (in a triple of {quad.subject} with the predicate {quad.predicate})",
                hint="publications are RDF 1.1: leave it out, or write it as plain triples",
            ) from error
        graph = None if isinstance(quad.graph_name, ox.DefaultGraph) else cast(GraphName, terms[quad.graph_name])
        read.append((triple, graph))
    return read


class _Terms(dict[object, Term]):
    """Terms of pyoxigraph -> ours, each made once.

    Blank nodes without a label in the data have random ones in pyoxigraph. They are numbered here, so that the same
    data gives the same publications, with the same ids, each time it is read.
    """

    # Random labels are numbers of 128 bits in hexadecimal, without leading zeros, so now and then shorter than most. A
    # label of the data may look like that, or like one of our numbers, as dumps of earlier readings do: it stays.
    _LOOKS_RANDOM: Final = re.compile("[a-f][0-9a-f]{0,31}")
    _WRITTEN: Final = re.compile(rb"\b(?:[a-f][0-9a-f]{0,31}|anon[0-9]+)\b")

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data
        self._written: set[str] | None = None  # found when the first label looks random
        self._numbers = count(1)

    def __missing__(self, key: object) -> Term:
        term = from_pyoxigraph(key)
        if isinstance(term, BlankNode) and self._LOOKS_RANDOM.fullmatch(term.label):
            term = self._numbered(term)
        self[key] = term
        return term

    def _numbered(self, node: BlankNode) -> BlankNode:
        if self._written is None:
            self._written = {found.decode() for found in self._WRITTEN.findall(self._data)}
        if node.label in self._written:
            return node
        labels = (f"anon{number}" for number in self._numbers)
        return BlankNode(next(label for label in labels if label not in self._written))


def _syntax_error(error: SyntaxError, format: str) -> PublicationError:
    detail = re.sub(r"^Parser error (at|between) line .*?: ", "", error.msg)
    if format in ("nt", "nq") and "No scheme" in detail:
        hint = f"IRIs are absolute in {format}; relative ones can stand in {'ttl' if format == 'nt' else 'trig'}"
    elif "remote context" in detail:
        hint = "nothing is fetched from the web: write the @context into the data"
    else:
        hint = f"it was read as {format}; the formats are {', '.join(FORMATS)}"
    return PublicationError(detail, error.lineno, error.offset, hint)


def _checked_base(base: str | None) -> str:
    if base is None:
        return DEFAULT_BASE
    if not is_valid_iri(base):
        raise PublicationError(f"the base {base!r} is no absolute IRI", hint="give one such as http://example.org/")
    return base


def _checked_triple(triple: tuple[object, object, object], base: str) -> Triple:
    if len(triple) != 3:
        raise PublicationError(f"{triple!r} has {len(triple)} parts; a triple has three")
    subject, predicate, value = (_checked_term(part, base) for part in triple)
    if isinstance(subject, Literal) or not isinstance(predicate, IRI):
        raise PublicationError(
            f"{subject} {predicate} {value} is no triple",
            hint="a subject is an IRI or a blank node, a predicate is an IRI",
        )
    return subject, predicate, value


def _checked_term(value: object, base: str) -> Term:
    try:
        term = to_term(value)
        if isinstance(term, IRI) and not is_absolute(term.value):
            return IRI(resolve(term.value, base))
    except ValueError as error:
        raise PublicationError(str(error)) from error
    return term


def _name(triples: Iterable[Triple], graph: GraphName | None) -> str:
    """The id of a publication that the caller gave none; `Publication.parse` says how."""
    if graph is not None:
        return publication_id(graph)
    subjects = {triple[0] for triple in triples}
    named = {subject for subject in subjects if isinstance(subject, IRI)} or subjects
    return publication_id(*named) if len(named) == 1 else UNNAMED
