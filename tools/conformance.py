"""Counts the W3C's tests and the queries of public logs, and writes docs/conformance.md.

Run it as `python -m tools.conformance`, with the data beside the repository (see CONTRIBUTING.md).
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sparql_ft import UnsupportedFeatureError, parse
from sparql_ft.syntax.unsupported import HINTS
from tests.logs import query_logs
from tests.shared import SHARED
from tests.w3c import manifests, syntax_manifests

__all__ = ["PAGE", "page", "without_commit"]

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "conformance.md"
SUITES = {"sparql10": "SPARQL 1.0", "sparql11": "SPARQL 1.1"}
VERDICTS = ("passed", "unsupported", "outside", "failed")

INTRODUCTION = """\
# Conformance

The text of SPARQL 1.1 decides what a query means here. This page counts how far we are: on the tests of the W3C, and on
queries that people have really asked. A test holds it to what is counted now. It was made by
`.venv/bin/python -m tools.conformance`, at commit {commit}.

"""
W3C = """\
## The tests of the W3C

The W3C's [rdf-tests](https://github.com/w3c/rdf-tests) have syntax tests (is this text a query?) and evaluation tests
(what does this query give on this data?). We run all of SPARQL 1.0, and of SPARQL 1.1 those folders whose subject is
part of a standing query: syntax-query, bind, bindings, exists, functions and property-path.

- **passed**: a text of the supported language that parses, and whose canonical text parses to the same query; a text
  that is no SPARQL and is refused; a query that gives exactly the expected solutions, as a multiset, on the test's data
  as one publication.
- **unsupported**: SPARQL with a construct that a standing query cannot have. It is refused, with the construct and its
  position named.
- **outside**: an evaluation test whose data no publication can be, since a publication has at most one named graph.
- **failed**: anything else.

"""
UNSUPPORTED = """\

### What is unsupported, and why

A standing query waits for publications and says of each whether it matches: whether its WHERE has a solution. So what
shapes a table of results has nothing to work on, what looks at other data has none, and an update has nothing to
change. Silently leaving such a construct out would change what the query means; so it is refused. A text is counted
under the first construct that it has. The functions that evaluation tests call in `SELECT (… AS ?variable)` are
supported in filters and BIND, and tested there against two other engines.

"""
LOGS = """\

## Queries that people have asked

Sets of real queries, most of them over DBpedia: [QALD](https://github.com/ag-sc/QALD) and
[LC-QuAD](https://github.com/AskNowQA/LC-QuAD), where questions were translated to SPARQL by hand or from templates, and
the logs of public endpoints collected by [LSQ](https://github.com/AKSW/LSQ). Each query counts once. What we call a
syntax error is one for pyoxigraph's parser, too; else it would be counted as failed.

"""
REFUSED = """\

Unsupported are, by their first construct:

"""
WRONG = """\

The syntax errors:

"""
DECISIONS = """\

### What decides them

A query becomes tuples that an index can hold (`rtf check` shows them). The fewer queries need more than that, the
faster matching is.

"""
DECIDED = {
    "tuples": "by tuples alone, each looked at by itself, subject by subject",
    "joins": "by tuples, and joins of the values that their variables have",
    "sparql": "by full SPARQL, on the publications that their tuples find",
}


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; columns after the first are numbers unless their name ends with a space."""
    lines = [
        " | ".join(name.strip() for name in head),
        " | ".join(["---"] + ["---:" if name[-1:] != " " else "---" for name in head[1:]]),
    ]
    lines += [" | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) for row in rows]
    return "".join(f"| {line} |\n" for line in lines)


def w3c_outcomes() -> Iterator[tuple[str, str, str, str]]:
    """For each test: its kind, its suite, the verdict, and the construct that is unsupported."""
    from tests.w3c.test_evaluation import OUTDATED, outcome  # not before it is known that the data is there

    for test in syntax_manifests.syntax_tests(SHARED / "w3c"):
        found = syntax_manifests.outcome(test)
        construct = found.construct if found.verdict == "unsupported" else ""
        yield "syntax", SUITES[test.name.partition("/")[0]], found.verdict, construct
    for example in manifests.evaluation_tests(SHARED / "w3c"):
        assert example.name not in OUTDATED, "say on the page what became of such tests"
        verdict = outcome(example)
        construct = _construct(example.query) if verdict == "unsupported" else ""
        yield "evaluation", SUITES[example.name.partition("/")[0]], verdict, construct


def _construct(query: Path) -> str:
    try:
        parse(query.read_text(encoding="utf-8"), base=query.as_uri())
    except UnsupportedFeatureError as error:
        return error.construct
    raise AssertionError(f"{query} is supported")


def w3c_part() -> str:
    """The tables on the tests of the W3C."""
    counts: Counter[tuple[str, str, str]] = Counter()
    constructs: dict[str, Counter[str]] = {"syntax": Counter(), "evaluation": Counter()}
    for kind, suite, verdict, construct in w3c_outcomes():
        counts[kind, suite, verdict] += 1
        if construct:
            constructs[kind][construct] += 1
    rows = []
    for kind in constructs:
        for suite in SUITES.values():
            numbers = [counts[kind, suite, verdict] for verdict in VERDICTS]
            rows.append([f"{suite}, {kind}", sum(numbers), *numbers])
    rows.append(["**all**", *(sum(row[place] for row in rows) for place in range(1, len(VERDICTS) + 2))])
    both = constructs["syntax"] + constructs["evaluation"]
    why = [
        [name, constructs["syntax"][name], constructs["evaluation"][name], _hint(name)]
        for name, _ in sorted(both.items(), key=lambda item: (-item[1], item[0]))
    ]
    return (
        W3C
        + table(["tests", "in all", *VERDICTS], rows)
        + UNSUPPORTED
        + table(["construct", "syntax tests", "evaluation tests", "what to do instead "], why)
    )


def _hint(construct: str) -> str:
    return next((text for start, text in HINTS.items() if construct.startswith(start)), "")


def logs_part() -> str:
    """The tables on queries that people have asked."""
    verdicts: Counter[tuple[str, str]] = Counter()
    constructs: Counter[str] = Counter()
    decisions: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for query in query_logs.logged_queries(SHARED / "queries"):
        found = query_logs.outcome(query)
        verdicts[query.set, found.verdict] += 1
        if found.verdict == "unsupported":
            constructs[found.what] += 1
        elif found.verdict == "syntax error":
            wrong["a prefix that is not declared" if "is not declared" in found.what else "anything else"] += 1
        elif found.verdict == "parsed":
            decisions[found.what] += 1
    kinds = ("parsed", "unsupported", "syntax error", "failed")
    rows = []
    for name in query_logs.SETS.values():
        numbers = [verdicts[name, kind] for kind in kinds]
        rows.append([name, sum(numbers), *numbers])
    rows.append(["**all**", *(sum(row[place] for row in rows) for place in range(1, len(kinds) + 2))])
    parsed = decisions.total()
    shares = [[DECIDED[name], decisions[name], f"{100 * decisions[name] / parsed:.1f} %"] for name in DECIDED]
    return (
        LOGS
        + table(["set", "queries", *kinds], rows)
        + REFUSED
        + table(["construct", "queries"], constructs.most_common())
        + WRONG
        + table(["what is wrong", "queries"], wrong.most_common())
        + DECISIONS
        + table(["decided", "queries", "share of those parsed"], shares)
    )


def page() -> str:
    """The whole page, with a mark where the commit belongs."""
    return INTRODUCTION + w3c_part() + logs_part()


def without_commit(text: str) -> str:
    """A page as `page` gives it: one commit cannot know its own name."""
    head, start, rest = text.partition("at commit ")
    return f"{head}{start}{{commit}}{rest[rest.index('.') :]}" if start else text


def main() -> int:
    """Write the page; the exit code is 1 if something failed, 2 if the data is missing."""
    for name in ("w3c", "queries"):
        if not (SHARED / name).is_dir():
            print(f"the folder {SHARED / name} is missing", file=sys.stderr)
            return 2
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    text = page()
    PAGE.write_text(text.replace("{commit}", commit.stdout.strip()), encoding="utf-8")
    failed = [line for line in text.splitlines() if line.startswith("| **all**") and not line.endswith("| 0 |")]
    for line in failed:
        print(f"something failed: {line}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
