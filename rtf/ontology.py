"""RDFS closure of a publication: what follows from subPropertyOf and subClassOf, properties first.

So `?x a dbo:Agent` matches a dbo:Politician. Several parents are fine, and a cycle makes its members equivalent.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sparql_ft import Publication
from sparql_ft.terms import IRI, RDF, Term, Triple

if TYPE_CHECKING:
    import pyarrow as pa

    from rtf.columns import PublicationColumns

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

    def close_columns(self, batch: PublicationColumns) -> PublicationColumns:
        """The same for many publications as columns: a row behind each row that something follows from."""
        from rtf.columns import PublicationColumns, columns_of

        properties = {str(each): [str(above) for above in all_above] for each, all_above in self._properties.items()}
        classes = {str(each): [str(above) for above in all_above] for each, all_above in self._classes.items()}
        table = batch.table
        for name, above, only in (("predicate", properties, None), ("object", classes, ("predicate", str(_TYPE)))):
            longer = _with_rows_above(table, name, above, only)
            if longer is None:  # IRIs are spelt with escapes: what they are, a parser has to say
                return PublicationColumns(columns_of(map(self.close, batch)))
            table = longer
        return PublicationColumns(table)


def _with_rows_above(
    table: pa.Table, name: str, above: dict[str, list[str]], only: tuple[str, str] | None
) -> pa.Table | None:
    """The table with rows that have, in one column, what stands above; of those rows only that have a certain cell.

    None if a cell may be the same as another that is spelt differently.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    chosen = np.arange(table.num_rows)
    if only is not None:
        chosen = np.flatnonzero(pc.equal(table.column(only[0]), only[1]).to_numpy())
    cells = table.column(name).take(pa.array(chosen)).combine_chunks().dictionary_encode()
    spelt = cells.dictionary.to_pylist()
    if any("\\" in cell for cell in spelt if cell.startswith("<")):
        return None
    more = [above.get(cell, []) for cell in spelt]
    counts = np.array([len(each) for each in more], np.int64)[cells.indices.to_numpy()] if spelt else np.zeros(0, int)
    source = np.repeat(chosen, counts)
    added = [each for number in np.repeat(cells.indices.to_numpy(), counts > 0) for each in more[number]]
    order = np.argsort(np.concatenate([np.arange(table.num_rows), source]), kind="stable")
    longer = pa.concat_tables(
        [
            table,
            table.take(pa.array(source)).set_column(
                table.schema.get_field_index(name),
                table.schema.field(name),
                pa.array(added, table.schema.field(name).type),
            ),
        ]
    )
    return longer.take(pa.array(order))


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
