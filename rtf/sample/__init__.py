"""A small dump and queries to try everything on: what `rtf demo` runs on.

`dump/` has some two hundred well-known cities, films, people, books, volcanoes and so on, in files as DBpedia
publishes them: labels, types, properties and abstracts apart. `queries/` has a folder for each owner. Both are written
by hand, to be read; the sentences are our own. Large numbers are rounded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["DUMP", "OWNERS", "QUERIES"]

DUMP: Final = Path(__file__).parent / "dump"
QUERIES: Final = Path(__file__).parent / "queries"
OWNERS: Final = {"ana": ("travel",), "bo": ("science",), "chen": ("books", "film"), "dora": ("earth", "sport")}
"""Whom the queries belong to, and the tags of their queries. An owner's queries are in the folder of that name."""
