"""Single tokens -> terms: prefixes and relative IRIs resolved, escapes undone."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from sparql_ft import iri as iris
from sparql_ft.errors import QuerySyntaxError, quoted
from sparql_ft.syntax.lexer import MAX_CHARACTERS, Tokens
from sparql_ft.syntax.prefixes import WELL_KNOWN_PREFIXES
from sparql_ft.terms import IRI, RDF, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Literal, Variable

__all__ = ["RDF_TYPE", "TokenTerms", "unquote"]

RDF_TYPE: Final = IRI(RDF + "type")
_NUMBER_TYPE: Final = {
    "d": XSD_INTEGER,
    "D": XSD_INTEGER,
    "e": XSD_DECIMAL,
    "E": XSD_DECIMAL,
    "f": XSD_DOUBLE,
    "F": XSD_DOUBLE,
}
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)  # [160] in strings, [173] in local names
_UNESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def unquote(text: str) -> str:
    """The characters that a string token stands for."""
    width = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    body = text[width:-width]
    if "\\" not in body:
        return body
    return _ESCAPE.sub(lambda match: _UNESCAPED.get(match[1], match[1]), body)


class TokenTerms:
    """The terms of one text. The prologue is told to it by `declare` and `set_base`."""

    def __init__(self, tokens: Tokens, base: str) -> None:
        self._tokens = tokens
        self.base = base
        self._prefixes: dict[str, str] = {}
        self.longest_namespace = len(base)
        self._written = 0  # characters of the IRIs that prefixes and the base made
        self.kinds = tokens.kinds
        self.texts = tokens.texts

    def set_base(self, index: int) -> None:
        """[5] BaseDecl."""
        self.base = self.iri(index).value
        self.longest_namespace = max(self.longest_namespace, len(self.base))

    def declare(self, prefix: int, namespace: int) -> None:
        """[6] PrefixDecl; a later one of the same prefix wins, as in Turtle."""
        value = self.iri(namespace).value
        self._prefixes[self.texts[prefix][:-1]] = value
        self.longest_namespace = max(self.longest_namespace, len(value))

    def fail(self, message: str, index: int, hint: str | None = None) -> NoReturn:
        """Refuse the text because of a token."""
        raise QuerySyntaxError(message, self._tokens.source, self._tokens.offset(index), hint=hint)

    def variable(self, index: int) -> Variable:
        """[108] Var."""
        return Variable(self.texts[index][1:])

    def iri(self, index: int) -> IRI:
        """[136] iri, and bare names."""
        kind, text = self.kinds[index], self.texts[index]
        if kind == "i":
            reference = text[1:-1]
        elif kind in ("p", "n"):
            prefix, _, local = text.partition(":")
            namespace = self._prefixes.get(prefix)
            if namespace is None:
                self._undeclared(prefix, index)
            if "\\" in local:
                local = _ESCAPE.sub(r"\1", local)
            return self._made(namespace + local, index)
        elif kind == "a":
            return RDF_TYPE
        else:
            reference = text
        if iris.is_absolute(reference):
            return self._valid(reference, index)
        try:
            resolved = iris.resolve(reference, self.base)
        except ValueError as error:
            self.fail(str(error), index)
        return self._made(resolved, index)

    def _made(self, iri: str, index: int) -> IRI:
        """Refuses a text that stands for far more than it says."""
        self._written += len(iri)
        if self._written > MAX_CHARACTERS:
            self.fail(
                f"without prefixes and BASE, the query has more than {MAX_CHARACTERS:,} characters",
                index,
                "A standing query of this size is better registered as several queries.",
            )
        return self._valid(iri, index)

    def _valid(self, iri: str, index: int) -> IRI:
        """19.5: IRIs conform to RFC 3987. No publication has others, so a query with one would never match."""
        if not iris.is_valid_iri(iri):
            self.fail(
                f"<{quoted(iri)}> is no valid IRI",
                index,
                "Look for a character that must be written as %XX, or a part that is missing after the scheme or host.",
            )
        return IRI(iri)

    def _undeclared(self, prefix: str, index: int) -> NoReturn:
        known = WELL_KNOWN_PREFIXES.get(prefix)
        hint = (
            f"Add this line at the top: PREFIX {prefix}: <{known}>"
            if known
            else f"Declare it at the top: PREFIX {prefix}: <…>"
        )
        self.fail(f"the prefix {prefix}: is not declared", index, hint)

    def literal(self, index: int) -> Literal:
        """[129] RDFLiteral, [130] NumericLiteral, [134] BooleanLiteral."""
        kind, text = self.kinds[index], self.texts[index]
        if kind == "s":
            after = self.kinds[index + 1 : index + 2]
            if after == "@":
                return Literal(unquote(self.texts[index]), language=self.texts[index + 1][1:])
            if after == "T":
                return Literal(unquote(self.texts[index]), self.iri(index + 2).value)
            return Literal(unquote(self.texts[index]))
        if kind == "t":
            return Literal(text.lower(), XSD_BOOLEAN)
        return Literal(text, _NUMBER_TYPE[kind])

    def constant(self, index: int) -> IRI | Literal:
        """An IRI or a literal, where nothing else can stand."""
        return self.iri(index) if self.kinds[index] in "ipn" else self.literal(index)
