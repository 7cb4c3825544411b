"""AWS Signature Version 4 for one JSON request: a pure function from request and keys to headers."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

_ALGORITHM = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True)
class AwsKeys:
    """Credentials as AWS hands them out; the session token comes with temporary ones."""

    access_key: str
    secret_key: str
    session_token: str | None = None


def signed_headers(
    method: str, url: str, body: bytes, *, region: str, service: str, keys: AwsKeys, now: datetime
) -> dict[str, str]:
    """The headers to send with the request. The address must have no query."""
    moment = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    parts = urlsplit(url)
    headers = {"content-type": "application/json", "host": parts.netloc, "x-amz-date": moment}
    if keys.session_token:
        headers["x-amz-security-token"] = keys.session_token
    names = ";".join(sorted(headers))
    canonical = "\n".join([
        method, quote(parts.path or "/", safe="/-_.~"), "", _header_lines(headers), names, _hash(body),
    ])  # fmt: skip
    scope = f"{moment[:8]}/{region}/{service}/aws4_request"
    signature = hmac.new(
        _signing_key(keys.secret_key, moment[:8], region, service),
        f"{_ALGORITHM}\n{moment}\n{scope}\n{_hash(canonical.encode())}".encode(),
        "sha256",
    ).hexdigest()
    credential = f"Credential={keys.access_key}/{scope}, SignedHeaders={names}, Signature={signature}"
    return {**headers, "authorization": f"{_ALGORITHM} {credential}"}


def _header_lines(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))


def _signing_key(secret: str, day: str, region: str, service: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
