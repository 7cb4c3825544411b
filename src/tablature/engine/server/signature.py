"""Checks that a request carries the parts of an AWS signature; keys are not checked, so any credentials will do."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from tablature.engine.errors import ServiceError

_HEADER_PARTS = ("Credential", "Signature", "SignedHeaders")
_QUERY_PARTS = ("X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date")


def require_signature(path: str, headers: Mapping[str, str]) -> None:
    """Raise the service's error when the request is unsigned or its signature lacks a part."""
    authorization = headers.get("authorization")
    query = dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))
    presigned = "X-Amz-Algorithm" in query
    if authorization is not None and presigned:
        raise ServiceError(
            "InvalidSignatureException",
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
        )
    if presigned:
        _require_query_parts(query)
    elif authorization is None or not authorization.startswith("AWS4-"):
        raise ServiceError("MissingAuthenticationTokenException", "Request is missing Authentication Token")
    else:
        _require_header_parts(authorization, headers)


def _require_query_parts(query: Mapping[str, str]) -> None:
    missing = "".join(
        f"AWS query-string parameters must include '{part}'. " for part in _QUERY_PARTS if not query.get(part)
    )
    if missing:
        raise ServiceError("IncompleteSignatureException", f"{missing}Re-examine the query-string parameters.")


def _require_header_parts(authorization: str, headers: Mapping[str, str]) -> None:
    stated = authorization.partition(" ")[2].replace(" ", "").split(",")
    given = {name: value for name, _, value in (part.partition("=") for part in stated)}
    missing = "".join(
        f"Authorization header requires '{part}' parameter. " for part in _HEADER_PARTS if not given.get(part)
    )
    if "x-amz-date" not in headers and "date" not in headers:
        missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    if missing:
        raise ServiceError("IncompleteSignatureException", f"{missing}Authorization={authorization}")
