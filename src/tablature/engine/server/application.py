"""Answers one HTTP request by calling the engine: target, signature and body checks in the service's order.

Signatures must be complete, but keys aren't verified, so any credentials work. Sockets belong to the listener.
"""

from __future__ import annotations

import base64
import logging
import os
import zlib
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import parse_qsl

import msgspec

from tablature.engine.errors import EngineError
from tablature.engine.server.http import HttpRequest, HttpResponse, ProtocolError, decompress_body
from tablature.engine.server.input_types import ITEM_AND_TABLE_INPUTS, STREAM_INPUTS, InputType
from tablature.engine.server.serialization import Request, decode, parse

_HEADER_PARTS = ("Credential", "Signature", "SignedHeaders")
_QUERY_PARTS = ("X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date")


def require_signature(path: str, headers: Mapping[str, str]) -> None:
    """Raise the service's error when the request is unsigned or its signature lacks a part."""
    authorization = headers.get("authorization")
    query = dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))
    presigned = "X-Amz-Algorithm" in query
    if authorization is not None and presigned:
        raise EngineError(
            "InvalidSignatureException",
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
        )
    if presigned:
        _require_query_parts(query)
    elif authorization is None or not authorization.startswith("AWS4-"):
        raise EngineError("MissingAuthenticationTokenException", "Request is missing Authentication Token")
    else:
        _require_header_parts(authorization, headers)


def _require_query_parts(query: Mapping[str, str]) -> None:
    missing = "".join(
        f"AWS query-string parameters must include '{part}'. " for part in _QUERY_PARTS if not query.get(part)
    )
    if missing:
        raise EngineError("IncompleteSignatureException", f"{missing}Re-examine the query-string parameters.")


def _require_header_parts(authorization: str, headers: Mapping[str, str]) -> None:
    stated = authorization.partition(" ")[2].replace(" ", "").split(",")
    given = {name: value for name, _, value in (part.partition("=") for part in stated)}
    missing = "".join(
        f"Authorization header requires '{part}' parameter. " for part in _HEADER_PARTS if not given.get(part)
    )
    if "x-amz-date" not in headers and "date" not in headers:
        missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    if missing:
        raise EngineError("IncompleteSignatureException", f"{missing}Authorization={authorization}")


_log = logging.getLogger(__name__)

JSON_TYPES = ("application/x-amz-json-1.0", "application/json")
_TARGETS: Mapping[str, tuple[str, InputType]] = {
    f"{prefix}.{operation}": (operation, shape)
    for prefix, inputs in (
        ("DynamoDB_20120810", ITEM_AND_TABLE_INPUTS),
        ("DynamoDBStreams_20120810", STREAM_INPUTS),
    )
    for operation, shape in inputs.items()
}
_CORAL_ERRORS = frozenset(
    {
        "IncompleteSignatureException",
        "InvalidSignatureException",
        "MissingAuthenticationTokenException",
        "SerializationException",
        "UnknownOperationException",
    }
)
# Operations whose response has no body.
_SILENT = frozenset({"TagResource", "UntagResource"})
_CAPITAL_MESSAGE = frozenset({"SerializationException", "TransactionCanceledException"})
_UNKNOWN_PAGE = b"<UnknownOperationException/>\n"
_EXPOSED = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"

_encode = msgspec.json.Encoder().encode


class CallsOperations(Protocol):
    """The engine as the server sees it."""

    def call(self, operation: str, request: Request) -> dict[str, Any]:
        """Execute one operation or raise ServiceError."""


class Application:
    """The HTTP application over one engine."""

    def __init__(self, engine: CallsOperations, region: str = "us-east-1") -> None:
        self._engine = engine
        self._health = f"healthy: dynamodb.{region}.amazonaws.com ".encode()

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer one request. Every error becomes a response."""
        headers = {"x-amzn-RequestId": new_request_id()}
        if "origin" in request.headers:
            headers["Access-Control-Allow-Origin"] = "*"
            if request.method == "OPTIONS":
                return HttpResponse(200, b"", headers | _preflight(request.headers))
            headers["Access-Control-Expose-Headers"] = _EXPOSED
        content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.method == "GET":
            return self._page(200, self._health, headers)
        if request.method != "POST" or (request.body and content_type not in JSON_TYPES):
            return self._page(404, _UNKNOWN_PAGE, headers)
        try:
            status, body = self._call(request)
        except ProtocolError as error:
            return reject_malformed(error)
        headers["x-amz-crc32"] = str(zlib.crc32(body))
        headers["Content-Type"] = content_type or JSON_TYPES[0]
        return HttpResponse(status, body, headers)

    def _page(self, status: int, body: bytes, headers: dict[str, str]) -> HttpResponse:
        return HttpResponse(status, body, headers | {"x-amz-crc32": str(zlib.crc32(body))})

    def _call(self, request: HttpRequest) -> tuple[int, bytes]:
        try:
            request = decompress_body(request)
            operation, shape = _check_request(request)
            response = self._engine.call(operation, decode(request.body, shape))
            return 200, b"" if operation in _SILENT else _encode(response)
        except EngineError as error:
            return 500 if error.code == "InternalServerError" else 400, error_body(error)
        except ProtocolError:
            raise
        except Exception:  # noqa: BLE001 - whatever else breaks is the service's 500, and the log has it in full
            _log.exception("%s failed", request.headers.get("x-amz-target"))
            return 500, error_body(EngineError("InternalServerError", "Internal server error"))


def reject_malformed(error: ProtocolError) -> HttpResponse:
    """The response to bytes that aren't a request."""
    body = b"" if error.status == 413 else f"{error}\n".encode()
    return HttpResponse(error.status, body, {"x-amzn-RequestId": new_request_id(), "Content-Type": "text/plain"})


def new_request_id() -> str:
    """Return 52 upper-case letters and digits, as the service's request ids are."""
    return base64.b32encode(os.urandom(33))[:52].decode()


def error_body(error: EngineError) -> bytes:
    """An error as the service's JSON."""
    if error.code == "ValidationException":
        package = "com.amazon.coral.validate"
    elif error.code in _CORAL_ERRORS:
        package = "com.amazon.coral.service"
    else:
        package = "com.amazonaws.dynamodb.v20120810"
    members: dict[str, Any] = {"__type": f"{package}#{error.code}", **error.fields}
    if error.message:
        members["Message" if error.code in _CAPITAL_MESSAGE else "message"] = error.message
    return _encode(members)


def _check_request(request: HttpRequest) -> tuple[str, InputType]:
    try:
        target = _find_target(request.headers)
        require_signature(request.path, request.headers)
    except EngineError:
        # Invalid JSON is reported before a wrong target or a missing signature.
        if request.body:
            parse(request.body)
        raise
    return target


def _find_target(headers: Mapping[str, str]) -> tuple[str, InputType]:
    target = _TARGETS.get(headers.get("x-amz-target", ""))
    if target is None:
        raise EngineError("UnknownOperationException", "")
    return target


def _preflight(headers: Mapping[str, str]) -> dict[str, str]:
    allowed = {"Access-Control-Max-Age": "172800"}
    for kind in ("Headers", "Method"):
        requested = headers.get(f"access-control-request-{kind.lower()}")
        if requested is not None:
            allowed[f"Access-Control-Allow-{kind.removesuffix('s')}s"] = requested
    return allowed
