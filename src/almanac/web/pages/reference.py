"""The API reference: the OpenAPI document as a page, without anything loaded from other sites."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import public
from almanac.http.pages import render_page
from almanac.web.openapi import OPENAPI_PATH, build_openapi

pages = APIRouter()


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """A method of a path."""

    id: str
    method: str
    path: str
    title: str
    about: str
    parameters: list[dict[str, Any]]
    body: str
    answers: list[tuple[str, str]]
    example: str


@pages.get("/api/docs")
async def show_reference(request: Request, _principal: Annotated[Principal | None, public()]) -> Response:
    """List every operation by resource, with its parameters, body and responses."""
    described = build_openapi(request.app)
    groups: dict[str, list[ApiOperation]] = {}
    base = get_state(request).services.settings.public_url
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            shown = _operation(described, base, path, method, operation)
            groups.setdefault(next(iter(operation.get("tags", ["other"]))), []).append(shown)
    return await render_page(
        request, "reference.html", groups=groups, about=described["info"], openapi_path=OPENAPI_PATH
    )


def _operation(described: dict[str, Any], base: str, path: str, method: str, operation: dict[str, Any]) -> ApiOperation:
    body = _body_schema(described, operation)
    example = f"curl -X {method.upper()} {base}{path} \\\n  -H 'Authorization: Bearer $TOKEN'"
    if body:
        example += " \\\n  -H 'Content-Type: application/json' \\\n  -d @body.json"
    return ApiOperation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        title=operation["summary"],
        about=operation.get("description", ""),
        parameters=operation.get("parameters", []),
        body=json.dumps(body, indent=2, ensure_ascii=False) if body else "",
        answers=[(status, answer["description"]) for status, answer in operation["responses"].items()],
        example=example,
    )


def _body_schema(described: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of the JSON body with one reference resolved; ours are never nested deeper."""
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return None
    schema: dict[str, Any] = content["application/json"]["schema"]
    body: dict[str, Any] = described["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return body
