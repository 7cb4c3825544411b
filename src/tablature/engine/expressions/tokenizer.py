"""Splits an expression into tokens and words the syntax errors. Parsers interpret the tokens."""

import re
from dataclasses import dataclass
from typing import Final

from tablature.engine.errors import EngineError, validation_error

MAX_EXPRESSION_BYTES: Final = 4096
TOO_LARGE: Final = "Expression size has exceeded the maximum allowed size;"

_TOKEN = re.compile(
    r"""
        (?P<space>[ \t\r\n]+)
      | (?P<name>\#[A-Za-z0-9_]+)
      | (?P<value>:[A-Za-z0-9_]+)
      | (?P<word>[A-Za-z][A-Za-z0-9_]*)
      | (?P<integer>0|[1-9][0-9]*)
      | (?P<symbol><=|>=|<>|[=<>(),.\[\]+\-])
      | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class ExpressionToken:
    """A token. Its kind is the symbol or keyword itself, or name, value, word, integer, unknown, end."""

    kind: str
    text: str
    start: int
    stop: int


def invalid_expression(parameter: str, detail: str) -> EngineError:
    return validation_error(f"Invalid {parameter}: {detail}")


class ExpressionTokens:
    """A cursor over the tokens of one expression. Keywords are case-insensitive."""

    def __init__(self, text: str, parameter: str, keywords: frozenset[str]) -> None:
        self.parameter = parameter
        self._text = text
        self._tokens = _tokenize(text, keywords)
        self._index = 0

    @property
    def kind(self) -> str:
        return self._tokens[self._index].kind

    @property
    def following_kind(self) -> str:
        following = min(self._index + 1, len(self._tokens) - 1)
        return self._tokens[following].kind

    def take(self) -> ExpressionToken:
        token = self._tokens[self._index]
        if token.kind != "end":
            self._index += 1
        return token

    def accept(self, kind: str) -> bool:
        if self._tokens[self._index].kind != kind:
            return False
        self._index += 1
        return True

    def expect(self, kind: str) -> ExpressionToken:
        if self._tokens[self._index].kind != kind:
            raise self.unexpected()
        return self.take()

    def unexpected(self) -> EngineError:
        """The syntax error at the cursor, which shows the token between its two neighbours."""
        token = self._tokens[self._index]
        start = self._tokens[self._index - 1].start if self._index else 0
        following = self._index + 1
        stop = token.stop
        if following < len(self._tokens) and self._tokens[following].kind != "end":
            stop = self._tokens[following].stop
        near = self._text[start:stop]
        return invalid_expression(self.parameter, f'Syntax error; token: "{token.text}", near: "{near}"')


def reject_unreadable(text: str, parameter: str) -> None:
    """Reject an empty expression or one over the size limit."""
    if not text:
        raise invalid_expression(parameter, "The expression can not be empty;")
    if expression_size(text) > MAX_EXPRESSION_BYTES:
        raise invalid_expression(parameter, TOO_LARGE)


def expression_size(text: str) -> int:
    """The size of an expression in bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _tokenize(text: str, keywords: frozenset[str]) -> list[ExpressionToken]:
    tokens = []
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup or "", match[0]
        if kind == "space":
            continue
        if kind == "symbol":
            kind = piece
        elif kind == "word" and piece.upper() in keywords:
            kind = piece.upper()
        tokens.append(ExpressionToken(kind, piece, match.start(), match.end()))
    end = tokens[-1].stop if tokens else 0
    tokens.append(ExpressionToken("end", "<EOF>", end, end))
    return tokens
