"""Publications -> rows of OUTPUT: what runs in the Python processes of the executors after the shuffle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from rtf.columns import COLUMNS, GRAPH, BatchReport, PublicationColumns
from rtf.explanation.explanation import highlight_as_json, term_as_json
from rtf.pipeline.documents import BAD_DOCUMENTS
from rtf.pipeline.grouping import complete_publications
from rtf.pipeline.matchers import Matcher, MatcherSource
from rtf.pipeline.owners import Owners
from rtf.pipeline.rows import BAD, BINDINGS, COUNT, FAILURE, FILE, HIGHLIGHTS, MATCH, OUTPUT, output_schema, rows
from rtf.pipeline.tally import Tally
from sparql_ft import EvaluationLimitError, Publication

__all__ = ["MATCHED_TRIPLES", "MATCHES", "PUBLICATIONS", "Matching"]

PUBLICATIONS, MATCHED_TRIPLES, MATCHES = "publications", "matched triples", "matches"
_NO_ANSWER: Final = "it matches, but its solutions are too many to be found"


@dataclass(frozen=True)
class Matching:
    """Matches the publications of a partition."""

    source: MatcherSource
    bindings: bool = False
    highlights: bool = False
    tally: Tally | None = None
    whole_files: bool = False  # each file is a publication, and must be one graph

    @property
    def schema(self) -> pa.Schema:
        """Of the rows."""
        return output_schema(bindings=self.bindings, highlights=self.highlights)

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows of a partition."""
        names = self.schema.names
        return (batch.select(names) for batch in self._rows(batches))

    def _rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of matches and failures, with bad lines and counts passed on, and at the end counts of our own."""
        matcher = self.source()
        counts: Counter[str] = Counter()
        owners = Owners.of(matcher)
        files = _Files()
        for some in complete_publications(batches, whole_files=self.whole_files):
            if isinstance(some, pa.RecordBatch):
                files.note(some)
                yield from _passed_on(some)
                continue
            columns = _with_subjects(some.select([*COLUMNS, GRAPH]))
            if self.whole_files:
                columns, bad = files.checked(columns, counts)
                yield from bad
            report = _report(matcher, columns)
            counts[PUBLICATIONS] += report.publications
            counts[MATCHED_TRIPLES] += report.triples
            counts[MATCHES] += report.matches.num_rows
            if self.tally is not None:
                self.tally.add({PUBLICATIONS: report.publications, MATCHES: report.matches.num_rows})
            if report.matches.num_rows:
                yield from self._match_rows(matcher, columns, report, owners)
            if report.failures:
                yield _failure_rows(report.failures)
        for name in files.empty():  # an empty publication may match, too
            found = matcher.match_ids(Publication(name, ()))
            counts[PUBLICATIONS] += 1
            counts[MATCHES] += len(found)
            ids = pa.array(found, pa.string())
            names = pa.repeat(pa.scalar(name, pa.string()), len(ids))
            columns_of_it = {"query_id": ids, "publication": names, "owner": owners.column(ids)}
            yield rows(OUTPUT, MATCH, len(ids), columns_of_it)
        if counts:
            yield _count_rows(counts)

    def _match_rows(
        self, matcher: Matcher, columns: pa.Table, report: BatchReport, owners: Owners
    ) -> Iterator[pa.RecordBatch]:
        if self.bindings or self.highlights:
            yield from self._detailed_rows(matcher, columns, report)
            return
        for batch in report.matches.to_batches():
            ids, publications = batch.column("query_id"), batch.column("publication")
            found = {"query_id": ids, "publication": publications, "owner": owners.column(ids)}
            yield rows(OUTPUT, MATCH, batch.num_rows, found)

    def _detailed_rows(self, matcher: Any, columns: pa.Table, report: BatchReport) -> Iterator[pa.RecordBatch]:
        """The same with solutions and words: each publication that matched is looked at once more."""
        publications = PublicationColumns(columns)
        matched = set(report.matches.column("publication").to_pylist())
        for number, id in enumerate(publications.ids().to_pylist()):
            if id not in matched:
                continue
            found: list[dict[str, object]] = []
            failures: list[tuple[str, str, str]] = []
            for match in matcher.match(publications.read(number)[0]):
                row = {"query_id": match.query_id, "publication": id, "owner": matcher[match.query_id].owner}
                try:
                    if self.bindings:
                        row["bindings"] = [
                            [(name, term_as_json(term)) for name, term in each.items()] for each in match.solutions
                        ]
                    if self.highlights:
                        row["highlights"] = [highlight_as_json(each) for each in match.highlights]
                except EvaluationLimitError as error:
                    row.pop("bindings", None)
                    failures.append((id, match.query_id, f"{_NO_ANSWER}: {error}"))
                found.append(row)
            if found:
                names = ("query_id", "publication", "owner", "bindings", "highlights")
                types = (pa.string(), pa.string(), pa.string(), BINDINGS, HIGHLIGHTS)
                arrays = {
                    name: pa.array([row.get(name) for row in found], kind)
                    for name, kind in zip(names, types, strict=True)
                }
                yield rows(OUTPUT, MATCH, len(found), arrays)
            if failures:
                yield _failure_rows(failures)


class _Files:
    """Where each file is a publication: those that have no triples, and those that are several graphs."""

    def __init__(self) -> None:
        self._named: dict[str, None] = {}
        self._seen: set[str] = set()

    def note(self, batch: pa.RecordBatch) -> None:
        """Look for names of files among rows of other kinds."""
        names = batch.filter(pc.equal(batch.column("kind"), FILE)).column("publication")
        self._named |= dict.fromkeys(names.to_pylist())

    def checked(self, columns: pa.Table, counts: Counter[str]) -> tuple[pa.Table, list[pa.RecordBatch]]:
        """The publications that are one graph, and bad rows for the others."""
        graphs = Counter(PublicationColumns(columns).ids().to_pylist())
        self._seen |= set(graphs)
        several = {name: count for name, count in graphs.items() if count > 1}
        if not several:
            return columns, []
        wrong = pc.is_in(columns.column("publication"), pa.array(several, pa.string()))
        kept = columns.filter(pc.invert(wrong))
        counts[BAD_DOCUMENTS] += len(several)
        counts[MATCHED_TRIPLES] += columns.num_rows - kept.num_rows
        reasons = [f"this file holds {count} graphs, so it is not one publication" for count in several.values()]
        bad = {"publication": pa.array(several, pa.string()), "why": pa.array(reasons, pa.string())}
        return kept, [rows(OUTPUT, BAD, len(several), bad | {"line": pa.repeat("", len(several))})]

    def empty(self) -> list[str]:
        """The files without triples."""
        return [name for name in self._named if name not in self._seen]


def _report(matcher: Any, columns: pa.Table) -> BatchReport:
    if hasattr(matcher, "report_batch"):
        report: BatchReport = matcher.report_batch(columns)
        return report
    publications = PublicationColumns(columns)
    ids: list[str] = []
    found: list[str] = []
    for publication in publications:
        queries = matcher.match_ids(publication)
        ids += [publication.id] * len(queries)
        found += queries
    table = pa.table({"publication": pa.array(ids, pa.string()), "query_id": pa.array(found, pa.string())})
    return BatchReport(len(publications), publications.triples, table)


def _with_subjects(columns: pa.Table) -> pa.Table:
    """The columns with the subjects that were left out because they are the publication."""
    place = columns.schema.get_field_index("subject")
    subjects = columns.column(place)
    if not subjects.null_count:
        return columns
    publications = pc.binary_join_element_wise("<", columns.column("publication"), ">", "")
    if subjects.null_count < len(subjects):
        publications = pc.coalesce(subjects, publications)
    return columns.set_column(place, "subject", publications)


def _passed_on(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Bad lines and counts of the readers, as rows of OUTPUT."""
    for kind in (BAD, COUNT):
        some = batch.filter(pc.equal(batch.column("kind"), kind))
        if some.num_rows:
            columns = {"publication": some.column("publication")}
            if kind == BAD:
                columns |= {"line": some.column("object"), "why": some.column("predicate")}
            else:
                columns["number"] = some.column("object").cast(pa.int64())
            yield rows(OUTPUT, kind, some.num_rows, columns)


def _failure_rows(failures: Sequence[tuple[str, str, str]]) -> pa.RecordBatch:
    names = ("publication", "query_id", "why")
    columns = {name: pa.array([row[place] for row in failures], pa.string()) for place, name in enumerate(names)}
    return rows(OUTPUT, FAILURE, len(failures), columns)


def _count_rows(counts: Mapping[str, int]) -> pa.RecordBatch:
    columns = {
        "publication": pa.array(list(counts), pa.string()),
        "number": pa.array(list(counts.values()), pa.int64()),
    }
    return rows(OUTPUT, COUNT, len(counts), columns)
