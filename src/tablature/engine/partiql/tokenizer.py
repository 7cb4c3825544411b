"""Splits a PartiQL statement into tokens. The parser distinguishes keywords from names by position."""

import re
from dataclasses import dataclass
from typing import Final

from tablature.engine.errors import EngineError, validation_error

_TOKEN: Final = re.compile(
    r"""
        (?P<space>\s+|--[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/)
      | (?P<string>'(?:[^']|'')*')
      | (?P<quoted>"(?:[^"]|"")*")
      | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
      | (?P<symbol><<|>>|<=|>=|<>|!=|[=<>(),.\[\]{}:?*+;-])
      | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# Words that end a term or start a clause; as names they must be quoted.
_KEYWORDS: Final = frozenset(
    "FROM WHERE ORDER GROUP HAVING LIMIT SET REMOVE RETURNING VALUE BY AS ON SELECT INSERT UPDATE DELETE INNER".split()
)
_OPERATORS: Final = frozenset({"AND", "OR", "IN", "IS", "BETWEEN", "LIKE", "=", "<>", "!=", "<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class StatementToken:
    """A token. `text` is without quotes; `kind` is the symbol itself or a class of tokens."""

    kind: str
    text: str
    place: str = ""

    def is_keyword(self, word: str) -> bool:
        return self.kind == "word" and self.text.upper() == word

    @property
    def is_name(self) -> bool:
        """Whether it can name an attribute."""
        if self.kind == "word":
            word = self.text.upper()
            return word not in _KEYWORDS and word not in _OPERATORS
        return self.kind == "quoted"


_END: Final = StatementToken("end", "")


def syntax_error(detail: str) -> EngineError:
    return validation_error(f"Statement wasn't well formed, can't be processed: {detail}")


class StatementTokens:
    """A cursor over the tokens of one statement."""

    def __init__(self, statement: str) -> None:
        self._tokens = _tokenize(statement)
        self._index = 0

    @property
    def current(self) -> StatementToken:
        return self._tokens[self._index]

    @property
    def following(self) -> StatementToken:
        return self._tokens[min(self._index + 1, len(self._tokens) - 1)]

    @property
    def is_at_end(self) -> bool:
        return self._tokens[self._index].kind == "end"

    def take(self) -> StatementToken:
        token = self.current
        if token.kind != "end":
            self._index += 1
        return token

    def accept(self, kind: str) -> bool:
        if self.current.kind != kind:
            return False
        self._index += 1
        return True

    def expect(self, kind: str, detail: str) -> StatementToken:
        if self.current.kind != kind:
            raise syntax_error(detail)
        return self.take()

    def accept_keyword(self, *words: str) -> str | None:
        """Take the keyword at the cursor if it is one of these; otherwise None."""
        for word in words:
            if self.current.is_keyword(word):
                self._index += 1
                return word
        return None

    def expect_keyword(self, word: str, detail: str) -> None:
        if self.accept_keyword(word) is None:
            raise syntax_error(detail)

    def no_term(self) -> EngineError:
        """The error for a token where a value or path should start."""
        word = self.current.text.upper() if self.current.kind == "word" else self.current.kind
        if word in _OPERATORS:
            return syntax_error("Unexpected operator")
        return syntax_error("Unexpected keyword" if word in _KEYWORDS else "Unexpected term")


def _tokenize(statement: str) -> list[StatementToken]:
    tokens = []
    line, line_start = 1, 0
    for match in _TOKEN.finditer(statement):
        kind, text = match.lastgroup or "", match[0]
        place = f"{line}:{match.start() - line_start + 1}:{len(text)}"
        if "\n" in text:
            line += text.count("\n")
            line_start = match.start() + text.rindex("\n") + 1
        if kind == "space":
            continue
        if kind == "unknown":
            raise syntax_error("")
        if kind in ("string", "quoted"):
            text = text[1:-1].replace(text[0] * 2, text[0])
        tokens.append(StatementToken(text if kind == "symbol" else kind, text, place))
    tokens.append(_END)
    return tokens
