"""docs/conformance.md agrees with what is counted now."""

from __future__ import annotations

import re

from tests.shared import shared_dir
from tools import conformance


def test_the_page_is_true() -> None:
    """Word for word, but for the commit. If this is red, look at the change, then run `python -m tools.conformance`."""
    shared_dir("w3c")
    shared_dir("queries")
    assert conformance.without_commit(conformance.PAGE.read_text(encoding="utf-8")) == conformance.page()


def test_nothing_failed() -> None:
    """The last column of both tables is `failed`, and holds zeros."""
    tables = re.findall(
        r"^\|.* failed \|\n\| ---.*\n((?:\|.*\n)+)", conformance.PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(tables) == 2
    rows = [row for rows in tables for row in rows.splitlines()]
    assert len(rows) == 11
    assert [row for row in rows if not row.endswith("| 0 |")] == []


def test_the_commit_is_named() -> None:
    """A reader can find the code that was counted."""
    page = conformance.PAGE.read_text(encoding="utf-8")
    assert re.search(r"at commit [0-9a-f]{7,40}\.", page)
    assert conformance.without_commit(page).count("{commit}") == 1
