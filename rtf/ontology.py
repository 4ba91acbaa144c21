"""RDFS closure of a publication: what follows from subPropertyOf and subClassOf, properties first.

So `?x a dbo:Agent` matches a dbo:Politician. Several parents are fine, and a cycle makes its members equivalent.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from sparql_ft import Publication
from sparql_ft.terms import IRI, RDF, Term, Triple

__all__ = ["Ontology"]

_RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
_TYPE: Final = IRI(RDF + "type")
_SUB_CLASS: Final = IRI(_RDFS + "subClassOf")
_SUB_PROPERTY: Final = IRI(_RDFS + "subPropertyOf")


class Ontology:
    """All superclasses and superproperties of each class and property that some triples mention."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        classes: dict[Term, set[Term]] = {}
        properties: dict[Term, set[Term]] = {}
        for subject, predicate, object_ in triples:
            if predicate == _SUB_CLASS:
                classes.setdefault(subject, set()).add(object_)
            elif predicate == _SUB_PROPERTY:
                properties.setdefault(subject, set()).add(object_)
        self._classes = {each: _above(each, classes) for each in classes}
        self._properties = {each: _above(each, properties) for each in properties}

    @staticmethod
    def read(path: str | Path, format: str = "xml") -> Ontology:
        """From a file, in one of the formats of `Publication.parse`."""
        return Ontology(Publication.parse(Path(path).read_bytes(), format=format, id=str(path)).triples)

    def close(self, publication: Publication) -> Publication:
        """The publication with what follows from its triples; the same object if nothing does."""
        triples = dict.fromkeys(publication.triples)
        for subject, predicate, object_ in publication.triples:
            for above in self._properties.get(predicate, ()):
                triples[subject, above, object_] = None
        for subject, predicate, object_ in list(triples):
            if predicate == _TYPE:
                for above_class in self._classes.get(object_, ()):
                    triples[subject, _TYPE, above_class] = None
        if len(triples) == len(publication.triples):
            return publication
        return Publication(publication.id, tuple(triples), publication.graph)


def _above(start: Term, parents: dict[Term, set[Term]]) -> tuple[IRI, ...]:
    """Everything that can be reached upwards and has a name; in a cycle, `start` itself as well, which adds nothing."""
    seen: set[Term] = set()
    pending = [start]
    while pending:
        for parent in parents.get(pending.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                pending.append(parent)
    return tuple(sorted((each for each in seen if isinstance(each, IRI) and each != start), key=str))
