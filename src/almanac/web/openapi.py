"""The OpenAPI document of the API, with the problem model, the security scheme and the shared headers."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from almanac.http.idempotency.route import HEADER
from almanac.http.problems import ProblemBody

OPENAPI_PATH = "/api/openapi.json"
_ABOUT = (
    "Send an API token as `Authorization: Bearer <token>`. Errors are problem+json with a stable `code`. Lists are "
    "paged by cursor. A POST that creates or sends may carry an Idempotency-Key; an edit must carry If-Match."
)
_KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A value of your own; the same request with the same key is done once and answered alike for 24 h.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}


def add_openapi_route(app: FastAPI) -> None:
    """Serve the document, built at the first request."""

    async def answer(_request: Request) -> JSONResponse:
        return JSONResponse(build_openapi(app))

    app.router.routes.append(Route(OPENAPI_PATH, answer, methods=["GET"]))


def build_openapi(app: FastAPI) -> dict[str, Any]:
    """The whole document, cached on the application."""
    if app.openapi_schema is None:
        document = get_openapi(title="Almanac API", version=app.version, description=_ABOUT, routes=app.routes)
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas["ProblemBody"] = ProblemBody.model_json_schema(ref_template="#/components/schemas/{model}")
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
        for methods in document["paths"].values():
            _complete_operations(methods)
        app.openapi_schema = document
    return app.openapi_schema


def _complete_operations(methods: dict[str, Any]) -> None:
    """Add what the framework can't know: the Idempotency-Key header, and 428 instead of 422 for a missing If-Match."""
    if "post" in methods:
        methods["post"].setdefault("parameters", []).append(_KEY_PARAMETER)
    for parameter in methods.get("patch", {}).get("parameters", []):
        if parameter["name"] == "If-Match":
            parameter.update(required=True, schema={"type": "string", "pattern": r'^"\d{1,9}"$'})
