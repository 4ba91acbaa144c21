"""RDF terms, as values: two terms are equal iff RDF says that they are the same term.

Lexical forms are kept as written ("01"^^xsd:integer stays "01"); language tags are kept in lower case, because RDF 1.1
compares them that way. `str(term)` is the term in N-Triples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = [
    "IRI",
    "RDF",
    "RDF_LANG_STRING",
    "XSD",
    "XSD_BOOLEAN",
    "XSD_DECIMAL",
    "XSD_DOUBLE",
    "XSD_INTEGER",
    "XSD_STRING",
    "BlankNode",
    "Literal",
    "Term",
    "Triple",
    "Variable",
]

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
RDF_LANG_STRING: Final = RDF + "langString"
XSD_STRING: Final = XSD + "string"
XSD_BOOLEAN: Final = XSD + "boolean"
XSD_INTEGER: Final = XSD + "integer"
XSD_DECIMAL: Final = XSD + "decimal"
XSD_DOUBLE: Final = XSD + "double"

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


@dataclass(frozen=True, slots=True)
class IRI:
    """An absolute IRI (relative ones are resolved where they are read)."""

    value: str

    def __str__(self) -> str:
        return f"<{self.value}>"


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node of a publication, or of a query, where it is a variable that nobody can name."""

    label: str

    def __str__(self) -> str:
        return f"_:{self.label}"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal. One with a language has the datatype rdf:langString, whatever was given."""

    lexical: str
    datatype: str = XSD_STRING
    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None:
            object.__setattr__(self, "language", self.language.lower())
            object.__setattr__(self, "datatype", RDF_LANG_STRING)

    def __str__(self) -> str:
        quoted = f'"{self.lexical.translate(_ESCAPES)}"'
        if self.language is not None:
            return f"{quoted}@{self.language}"
        if self.datatype == XSD_STRING:
            return quoted
        return f"{quoted}^^<{self.datatype}>"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a query, without its question mark."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


Term: TypeAlias = IRI | BlankNode | Literal
Triple: TypeAlias = tuple[IRI | BlankNode, IRI, Term]
