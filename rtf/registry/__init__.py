"""Queries in a SQLite file: `registry` is what others use, `registration` adds queries, `file` opens and checks it."""
