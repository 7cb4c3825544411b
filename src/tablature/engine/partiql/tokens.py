"""Cuts a PartiQL statement into tokens; keywords are told apart from names by the parser, by where they stand."""

import re
from dataclasses import dataclass
from typing import Final

from tablature.engine.errors import ServiceError, validation

_TOKEN: Final = re.compile(
    r"""
        (?P<space>\s+|--[^\n]*)
      | (?P<string>'(?:[^']|'')*')
      | (?P<quoted>"(?:[^"]|"")*")
      | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
      | (?P<symbol><<|>>|<=|>=|<>|!=|[=<>(),.\[\]{}:?*+;-])
      | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a statement; `text` is what it says, without quotes, and `kind` a symbol itself or its class."""

    kind: str
    text: str

    def is_keyword(self, word: str) -> bool:
        return self.kind == "word" and self.text.upper() == word


_END: Final = Token("end", "")


def malformed(detail: str) -> ServiceError:
    return validation(f"Statement wasn't well formed, can't be processed: {detail}")


class TokenStream:
    """A cursor over the tokens of one statement."""

    def __init__(self, statement: str) -> None:
        self._tokens = _tokenise(statement)
        self._index = 0

    @property
    def current(self) -> Token:
        return self._tokens[self._index]

    @property
    def following(self) -> Token:
        return self._tokens[min(self._index + 1, len(self._tokens) - 1)]

    def take(self) -> Token:
        token = self.current
        if token.kind != "end":
            self._index += 1
        return token

    def accept(self, kind: str) -> bool:
        if self.current.kind != kind:
            return False
        self._index += 1
        return True

    def expect(self, kind: str, detail: str) -> Token:
        if self.current.kind != kind:
            raise malformed(detail)
        return self.take()

    def accept_keyword(self, *words: str) -> str | None:
        """Take the keyword at the cursor when it is one of these."""
        for word in words:
            if self.current.is_keyword(word):
                self._index += 1
                return word
        return None

    def expect_keyword(self, word: str, detail: str) -> None:
        if self.accept_keyword(word) is None:
            raise malformed(detail)


def _tokenise(statement: str) -> list[Token]:
    tokens = []
    for match in _TOKEN.finditer(statement):
        kind, text = match.lastgroup or "", match[0]
        if kind == "space":
            continue
        if kind == "unknown":
            raise malformed(f"Unexpected character {text}")
        if kind in ("string", "quoted"):
            text = text[1:-1].replace(text[0] * 2, text[0])
        tokens.append(Token(text if kind == "symbol" else kind, text))
    tokens.append(_END)
    return tokens
