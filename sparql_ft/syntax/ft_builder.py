"""Full-text expressions: the grammar's tree -> the syntax tree, with the rules that the grammar cannot express."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NoReturn

from sparql_ft.analyser import stemmer_language
from sparql_ft.errors import QueryError, QuerySyntaxError, quoted
from sparql_ft.fulltext import check_words
from sparql_ft.nodes import FtAnd, FtExpression, FtNear, FtNot, FtOr, FtWords
from sparql_ft.syntax.diagnosis import explain_ft
from sparql_ft.syntax.grammar import ParseFailure, Tree, parse_ft_tree
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, Tokens, depth, lex
from sparql_ft.syntax.token_terms import unquote

__all__ = ["FtBuilder"]

_FT_OR: Final = KIND_OF_KEYWORD["ftOR"]


class FtBuilder:
    """Builds the full-text expressions of one text."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.deepest = 0  # how deep full text in the portable spelling nests

    def expression(self, tree: Tree) -> FtExpression:
        """The expression of a tree; a node of one operand is that operand."""
        if isinstance(tree, int):
            return self._words(tree)
        kind, _, parts = tree
        if kind == "ft_near":
            return self._near(parts)
        if kind == "ft_not":
            *negations, operand = parts
            result = self.expression(operand)
            for _ in negations:
                result = FtNot(result)
            return result
        if len(parts) == 1:
            return self.expression(parts[0])
        return self._chain(parts)

    def _chain(self, parts: tuple[Tree, ...]) -> FtExpression:
        """Operands and the operators between them: ftAND binds stronger than ftOR."""
        disjuncts: list[list[FtExpression]] = [[self.expression(parts[0])]]
        for operator, operand in zip(parts[1::2], parts[2::2], strict=True):
            if self._tokens.kinds[operator] == _FT_OR:
                disjuncts.append([])
            disjuncts[-1].append(self.expression(operand))
        operands = tuple(each[0] if len(each) == 1 else FtAnd(tuple(each)) for each in disjuncts)
        return operands[0] if len(operands) == 1 else FtOr(operands)

    def portable(self, text: str, index: int) -> FtExpression:
        """The expression in the string of `ft:contains(?v, '…')`, which is token `index`."""
        try:
            tokens = lex(text)
            self.deepest = max(self.deepest, depth(tokens.kinds))
            try:
                tree = parse_ft_tree(tokens.kinds)
            except ParseFailure as failure:
                raise explain_ft(tokens, failure) from None
            return FtBuilder(tokens).expression(tree[2][0])
        except QueryError as error:
            raise QuerySyntaxError(
                f"in the string of ft:contains: {error.message}",
                self._tokens.source,
                self._tokens.offset(index),
                hint="\n".join(filter(None, (error.excerpt and "In that string:", error.excerpt, error.hint))),
            ) from None

    def _fail(self, message: str, index: int, hint: str | None = None) -> NoReturn:
        raise QuerySyntaxError(message, self._tokens.source, self._tokens.offset(index), hint=hint)

    def _near(self, parts: tuple[Tree, ...]) -> FtExpression:
        operands = tuple(self._words(part) for part in parts[::2])
        gaps = tuple(self._gap(part) for part in parts[1::2])
        return FtNear(operands, gaps) if gaps else operands[0]

    def _gap(self, tree: Tree) -> tuple[int, int | None]:
        _, index, (least, most) = tree
        texts = self._tokens.texts
        if max(len(texts[least]), len(texts[most])) > 9:
            self._fail("the distance of ftNEAR is too large", index, "Use * for any distance: ftNEAR[0,*].")
        low, high = int(texts[least]), None if texts[most] == "*" else int(texts[most])
        if high is not None and low > high:
            self._fail(
                f"ftNEAR[{low},{high}] can never hold: at least {low} words between, but at most {high}",
                index,
                f"Did you mean ftNEAR[{high},{low}]?",
            )
        return low, high

    def _words(self, tree: Tree) -> FtWords:
        string, options = (tree, ()) if isinstance(tree, int) else (tree[2][0], tree[2][1:])
        text = unquote(self._tokens.texts[string])
        chosen: dict[str, str] = {}
        places: dict[str, int] = {}
        for name, place, parts in options:
            value = name
            if name == "language":
                value = unquote(self._tokens.texts[parts[0]])
            elif name in ("case", "diacritics"):
                value = self._tokens.texts[parts[0]].lower()
            places[name] = place
            if chosen.setdefault(name, value) != value:
                self._fail(
                    f"the options `{name} {quoted(chosen[name])}` and `{name} {quoted(value)}` exclude each other",
                    place,
                    "Keep one of them.",
                )
        if "language" in chosen and "stemming" not in chosen:
            self._fail(
                "`using language` chooses a stemmer, but nothing is stemmed here",
                places["language"],
                "Add `using stemming`.",
            )
        words = FtWords(
            text,
            wildcards="wildcards" in chosen,
            stemming="stemming" in chosen,
            language=chosen.get("language", "en"),
            case_sensitive=chosen.get("case") == "sensitive",
            diacritics_insensitive=chosen.get("diacritics") == "insensitive",
        )
        message = check_words(words)
        if message is not None:
            self._fail(message, _blamed(words, places, string))
        code = stemmer_language(words.language)
        return words if code in (None, words.language) else replace(words, language=code)


def _blamed(words: FtWords, places: dict[str, int], string: int) -> int:
    """The token that `check_words` is unhappy about: the later of two options, the language, or the string."""
    if words.stemming and words.wildcards:
        return max(places["stemming"], places["wildcards"])
    if words.stemming and words.case_sensitive:
        return max(places["stemming"], places["case"])
    return string if stemmer_language(words.language) is not None else places["language"] + 1
