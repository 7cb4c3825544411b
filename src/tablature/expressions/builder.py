"""Builds the expressions of one request. Every name and value is a placeholder, so reserved words don't matter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablature.wire import AttributeValue, Request

PathPart = str | int
Path = tuple[PathPart, ...]


class ExpressionBuilder:
    """Collects the names and values of one request's expressions, and adds them to the request."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: dict[str, AttributeValue] = {}

    def name(self, attribute: str) -> str:
        placeholder = self._names.get(attribute)
        if placeholder is None:
            placeholder = self._names[attribute] = f"#n{len(self._names)}"
        return placeholder

    def path(self, path: Path) -> str:
        text = ""
        for part in path:
            text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{self.name(part)}"
        return text

    def value(self, value: AttributeValue) -> str:
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = value
        return placeholder

    def projection(self, attributes: Iterable[str]) -> str:
        return ", ".join(self.name(attribute) for attribute in attributes)

    def merge(self, names: dict[str, str], values: dict[str, AttributeValue]) -> None:
        """Add the placeholders of a raw expression unchanged."""
        self._names.update({attribute: placeholder for placeholder, attribute in names.items()})
        self._values.update(values)

    def into(self, request: Request, **texts: str | None) -> Request:
        """Add the expression texts that are not empty, with the placeholders they use."""
        request.update({name: text for name, text in texts.items() if text})
        if self._names:
            request["ExpressionAttributeNames"] = {short: name for name, short in self._names.items()}
        if self._values:
            request["ExpressionAttributeValues"] = dict[str, Any](self._values)
        return request
