"""Functions on RDF terms (SPARQL 1.1, section 17.4.2), and those that make new ones."""

from __future__ import annotations

import random
import re
import uuid
from typing import Final

from sparql_ft.expressions.context import Context
from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.numeric_values import Number, double
from sparql_ft.expressions.values import boolean_literal, number_literal, value_of
from sparql_ft.iri import DEFAULT_BASE, is_valid_iri, resolve
from sparql_ft.terms import IRI, RDF_LANG_STRING, XSD_STRING, BlankNode, Literal, Term

__all__ = [
    "bnode",
    "datatype",
    "iri",
    "is_blank",
    "is_iri",
    "is_literal",
    "is_numeric",
    "lang",
    "lang_matches",
    "rand",
    "same_term",
    "simple_text",
    "str_",
    "strdt",
    "strlang",
    "struuid",
    "uuid_",
]

_LANGUAGE_TAG: Final = re.compile(r"[a-zA-Z]+(?:-[a-zA-Z0-9]+)*")  # production [145], without the @


def simple_text(term: Term) -> str:
    """The text of a simple literal, which is an xsd:string since RDF 1.1; anything else is a type error."""
    if isinstance(term, Literal) and term.datatype == XSD_STRING:
        return term.lexical
    raise ExpressionError(f"{term} is not a string without language tag")


def is_iri(term: Term) -> Literal:
    """IsIRI and isURI."""
    return boolean_literal(isinstance(term, IRI))


def is_blank(term: Term) -> Literal:
    """Whether a term is a blank node."""
    return boolean_literal(isinstance(term, BlankNode))


def is_literal(term: Term) -> Literal:
    """Whether a term is a literal."""
    return boolean_literal(isinstance(term, Literal))


def is_numeric(term: Term) -> Literal:
    """Whether a term has a numeric value; "1200"^^xsd:byte has none."""
    return boolean_literal(isinstance(term, Literal) and isinstance(value_of(term), Number))


def same_term(left: Term, right: Term) -> Literal:
    """SameTerm: no values, no errors."""
    return boolean_literal(left == right)


def str_(term: Term) -> Literal:
    """STR: the lexical form of a literal, or the text of an IRI."""
    match term:
        case Literal():
            return Literal(term.lexical)
        case IRI():
            return Literal(term.value)
    raise ExpressionError("STR of a blank node")


def lang(term: Term) -> Literal:
    """LANG: the language tag, or ""."""
    if not isinstance(term, Literal):
        raise ExpressionError(f"{term} is no literal")
    return Literal(term.language or "")


def lang_matches(tag: Term, tag_range: Term) -> Literal:
    """LANGMATCHES: basic filtering (RFC 4647, section 3.3.1), where `*` matches any tag that is not empty."""
    tag_text, range_text = simple_text(tag).lower(), simple_text(tag_range).lower()
    if range_text == "*":
        return boolean_literal(tag_text != "")
    return boolean_literal(tag_text == range_text or tag_text.startswith(range_text + "-"))


def datatype(term: Term) -> IRI:
    """DATATYPE; as of RDF 1.1 every literal has one."""
    if not isinstance(term, Literal):
        raise ExpressionError(f"{term} is no literal")
    return IRI(term.datatype)


def iri(context: Context, term: Term) -> IRI:
    """IRI and URI: the text resolved against the base of the query."""
    if isinstance(term, IRI):
        return term
    text = simple_text(term)
    try:
        resolved = resolve(text, context.base or DEFAULT_BASE)
    except ValueError as error:
        raise ExpressionError(str(error)) from None
    if not is_valid_iri(resolved):
        raise ExpressionError(f"<{resolved}> is no IRI")
    return IRI(resolved)


def bnode(known: dict[str, BlankNode], label: Term | None = None) -> BlankNode:
    """BNODE: a new blank node, or with a label the one that this label has in `known`."""
    new = BlankNode(f"new{uuid.uuid4().hex}")  # a label that no publication has
    return new if label is None else known.setdefault(simple_text(label), new)


def strdt(text: Term, type_iri: Term) -> Literal:
    """STRDT. There is no literal of type rdf:langString without a language tag (RDF 1.1 Concepts, section 3.3)."""
    lexical = simple_text(text)
    if not isinstance(type_iri, IRI) or type_iri.value == RDF_LANG_STRING:
        raise ExpressionError(f"{type_iri} is no datatype that STRDT can use")
    return Literal(lexical, type_iri.value)


def strlang(text: Term, tag: Term) -> Literal:
    """STRLANG."""
    lexical, language = simple_text(text), simple_text(tag)
    if _LANGUAGE_TAG.fullmatch(language) is None:
        raise ExpressionError(f"{language!r} is no language tag")
    return Literal(lexical, language=language)


def uuid_() -> IRI:
    """UUID: a new one in each call."""
    return IRI(f"urn:uuid:{uuid.uuid4()}")


def struuid() -> Literal:
    """STRUUID."""
    return Literal(str(uuid.uuid4()))


def rand() -> Literal:
    """RAND: an xsd:double from 0, inclusive, to 1, exclusive."""
    return number_literal(double(random.random()))
