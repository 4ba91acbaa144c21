"""Alternatives in a notation that fits on one line, for tests that are read."""

from __future__ import annotations

import re

from sparql_ft.extraction.queries import extract
from sparql_ft.extraction.tuples import Alternative
from sparql_ft.syntax.parser import parse
from sparql_ft.syntax.printer import text_of
from sparql_ft.terms import RDF
from tests.sparql_ft.small import PREFIX


def shown(query: str) -> list[str]:
    """The alternatives of a query; what stands in braces is the pattern of an ASK.

    `(?x, :p, ?y) ^ (?y, :q, 1) & ?x != ?y @ :g ~`: the tuples, conditions on several of them, the graph; `~` stands for
    a residual. An alternative without tuples is `()`.
    """
    return [_shown(one) for one in alternatives(query)]


def alternatives(query: str) -> tuple[Alternative, ...]:
    """The alternatives themselves."""
    text = f"ASK {query}" if query.lstrip().startswith("{") else query
    return extract(parse(PREFIX + text)).alternatives


def _shown(one: Alternative) -> str:
    parts = [" ^ ".join(map(str, one.tuples)) or "()"]
    parts += [f"& {text_of(condition)}" for condition in one.conditions]
    parts += [f"@ {text_of(name)}" for name in one.graphs]
    parts += ["~"] * one.residual
    return re.sub("<urn:x:([^>]*)>", r":\1", " ".join(parts)).replace(f"<{RDF}type>", "a")
