"""Named SQL: reads a package's `queries.sql`, where each statement has a name and a line saying what it is for."""

from collections.abc import Iterator
from importlib.resources import files
from typing import LiteralString

_MARK = "-- name:"


class Queries:
    """The statements of one package, by name; an unknown name is a programming error that names the package."""

    def __init__(self, package: str, statements: dict[str, str]) -> None:
        self._package = package
        self._statements = statements

    def __getitem__(self, name: str) -> LiteralString:
        if name not in self._statements:
            raise KeyError(f"{self._package}/queries.sql has no statement named {name}.")
        return self._statements[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._statements)

    def __len__(self) -> int:
        return len(self._statements)


def load_queries(package: str | None, file: str = "queries.sql") -> Queries:
    """Read the statements beside a module: `QUERIES = load_queries(__package__)`."""
    if not package:
        raise ValueError("Named SQL lives in a package; pass __package__.")
    return Queries(package, parse_queries(files(package).joinpath(file).read_text(encoding="utf-8")))


def parse_queries(text: str) -> dict[str, str]:
    """Split a file at its `-- name:` lines. A name given twice would hide a statement, so it is refused."""
    statements: dict[str, str] = {}
    for section in text.split(_MARK)[1:]:
        name, _, statement = section.partition("\n")
        if name.strip() in statements:
            raise ValueError(f"The statement {name.strip()} is named twice.")
        statements[name.strip()] = statement.strip()
    return statements
