"""Every route with valid bodies, generated from the OpenAPI document and from the fields of forms."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from almanac.desks.newsletter.model.checks import KEY_LENGTH

_DEEPEST = 6


@dataclass(frozen=True)
class Way:
    """One method of one route."""

    method: str
    path: str
    route: APIRoute

    @property
    def is_api(self) -> bool:
        return self.path.startswith("/api/")

    @property
    def parameters(self) -> set[str]:
        return set(re.findall(r"\{(\w+)", self.path))

    def to(self, **values: str) -> str:
        """The path with these values, and with harmless ones for the other parameters."""
        return re.sub(r"\{(\w+)[^}]*\}", lambda match: values.get(match[1], _harmless(match[1])), self.path)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def _harmless(name: str) -> str:
    special = {
        "number": "1",
        "order": "1",
        "job_id": "1",
        "date": "2026-03-02",
        "format": "html",
        "format_name": "html",
        "form": "json",
        "step": "draft",
        "key": "0" * KEY_LENGTH,
    }
    return special.get(name, "none")


@pytest.fixture
def ways(routes: list[APIRoute]) -> list[Way]:
    return [Way(method, route.path, route) for route in routes for method in sorted(route.methods)]


class Bodies:
    """Bodies that satisfy the OpenAPI document, with a text of one's choice wherever any text is allowed."""

    def __init__(self, described: dict[str, Any]) -> None:
        self._described = described

    def body_of(self, way: Way, text: str = "words", *, everything: bool = False) -> Any:
        """None where the operation takes no JSON."""
        operation = self._described["paths"].get(way.path.replace(":path", ""), {}).get(way.method.lower(), {})
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        return self._made(content["schema"], text, everything, 0) if content else None

    def open_schemas(self) -> Iterator[str]:
        """The operations whose JSON may have members beside those that are named."""
        for path, methods in self._described["paths"].items():
            for method, operation in methods.items():
                content = operation.get("requestBody", {}).get("content", {}).get("application/json")
                if content and any(self._open(content["schema"], set())):
                    yield f"{method.upper()} {path}"

    def _open(self, schema: dict[str, Any], existing: set[str]) -> Iterator[bool]:
        name = schema.get("$ref", "")
        if name and name in existing:
            return
        schema, existing = self._resolved(schema), existing | {name}
        yield (
            schema.get("type") == "object"
            and "properties" in schema
            and schema.get("additionalProperties") is not False
        )
        inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("oneOf", [])]
        inner += [schema[part] for part in ("items", "additionalProperties") if isinstance(schema.get(part), dict)]
        for item in inner:
            yield from self._open(item, existing)

    def _made(self, schema: dict[str, Any], text: str, everything: bool, depth: int) -> Any:
        schema = self._resolved(schema)
        if "enum" in schema or "const" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        if any_of := schema.get("anyOf") or schema.get("oneOf"):
            return self._made(any_of[0], text, everything, depth)
        kind = schema.get("type")
        if kind == "object":
            wanted = schema.get("properties", {}) if everything else schema.get("required", [])
            properties = schema.get("properties", {})
            if depth > _DEEPEST:
                return {}
            return {name: self._made(properties[name], text, everything, depth + 1) for name in wanted}
        if kind == "array":
            few = max(schema.get("minItems", 0), int(everything and depth < _DEEPEST))
            return [self._made(schema.get("items", {}), text, everything, depth + 1)] * few
        if kind in ("integer", "number"):
            return schema.get("minimum", schema.get("default", 1) or 1)
        return self._text(schema, text) if kind == "string" else schema.get("default", False)

    def _text(self, schema: dict[str, Any], text: str) -> str:
        formats = {"date": "2026-03-02", "date-time": "2026-03-02T09:00:00Z", "email": "who@example.org"}
        if answer := formats.get(schema.get("format", "")):
            return answer
        if "pattern" in schema and not re.search(schema["pattern"], text):
            return str((schema.get("examples") or [schema.get("default", "words")])[0])
        return text[: schema.get("maxLength", len(text))].ljust(schema.get("minLength", 0), ".")

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            schema = self._described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema


@pytest.fixture
async def bodies(api: httpx.AsyncClient) -> Bodies:
    return Bodies((await api.get("/api/openapi.json")).json())
