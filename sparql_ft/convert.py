"""Our terms to and from those of rdflib and pyoxigraph, with lexical forms as they were written.

rdflib is imported when it is first needed: it takes a while, and a matcher can do without. It has two habits that no
caller can turn off: it collapses white space in literals of the types xsd:token and xsd:normalizedString, and logs a
warning for literals that are no value of their type, such as "abc"^^xsd:integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pyoxigraph as ox

from sparql_ft.terms import IRI, RDF_LANG_STRING, XSD_STRING, BlankNode, Literal, Term

if TYPE_CHECKING:
    import rdflib.term

__all__ = ["OxTerm", "from_pyoxigraph", "from_rdflib", "to_pyoxigraph", "to_rdflib", "to_term"]

OxTerm: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal


def to_term(value: object) -> Term:
    """A term of ours, of pyoxigraph or of rdflib, as ours. ValueError for anything else."""
    if isinstance(value, IRI | BlankNode | Literal):
        return value
    if type(value).__module__.partition(".")[0] == "pyoxigraph":
        return from_pyoxigraph(value)
    return from_rdflib(value)


def from_pyoxigraph(term: object) -> Term:
    """A term of pyoxigraph as ours. ValueError for what RDF 1.1 lacks: triple terms, and text with a direction."""
    if isinstance(term, ox.NamedNode):
        return IRI(term.value)
    if isinstance(term, ox.Literal):
        if term.language is None:
            return Literal(term.value, term.datatype.value)
        if term.direction is not None:
            raise ValueError(f"{term} has a base direction, which RDF 1.1 does not know")
        return Literal(term.value, RDF_LANG_STRING, term.language)
    if isinstance(term, ox.BlankNode):
        return BlankNode(term.value)
    if isinstance(term, ox.Triple):
        raise ValueError(f"<<( {term} )>> is a triple term, which RDF 1.1 does not know")
    raise ValueError(f"{term!r} is no RDF term")


def to_pyoxigraph(term: Term) -> OxTerm:
    """A term of ours as pyoxigraph's. ValueError for an IRI or a label that it does not consider valid."""
    match term:
        case IRI():
            return ox.NamedNode(term.value)
        case BlankNode():
            return ox.BlankNode(term.label)
        case Literal(language=None):
            return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
        case Literal():
            return ox.Literal(term.lexical, language=term.language)


def from_rdflib(term: object) -> Term:
    """A term of rdflib as ours. ValueError for anything else, variables and plain Python strings included."""
    import rdflib

    if isinstance(term, rdflib.URIRef):
        return IRI(str(term))
    if isinstance(term, rdflib.BNode):
        return BlankNode(str(term))
    if isinstance(term, rdflib.Literal):
        return Literal(str(term), str(term.datatype or XSD_STRING), term.language)
    raise ValueError(f"{term!r} is no RDF term: give terms of sparql_ft, of rdflib or of pyoxigraph")


def to_rdflib(term: Term) -> rdflib.term.IdentifiedNode | rdflib.term.Literal:
    """A term of ours as rdflib's. A string has no datatype there, as rdflib's own parsers have it."""
    import rdflib

    match term:
        case IRI():
            return rdflib.URIRef(term.value)
        case BlankNode():
            return rdflib.BNode(term.label)
        case Literal(language=None):
            datatype = None if term.datatype == XSD_STRING else rdflib.URIRef(term.datatype)
            return rdflib.Literal(term.lexical, datatype=datatype, normalize=False)
        case Literal():
            return rdflib.Literal(term.lexical, lang=term.language)
