"""AWS Signature Version 4 for JSON requests without a query; by default the POST that DynamoDB expects.

The signing key depends only on the secret, the day, the region and the service, so it is derived once a day.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

CONTENT_TYPE = "application/x-amz-json-1.0"
_ALGORITHM = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True)
class AwsCredentials:
    """An access key; `token` goes with temporary ones."""

    access_key: str
    secret_key: str
    token: str | None = None

    def __repr__(self) -> str:
        return f"Credentials(access_key={self.access_key!r})"


class Signer:
    """Signs requests to one service in one region."""

    def __init__(self, region: str, service: str = "dynamodb") -> None:
        self.region = region
        self._service = service
        self._cached: tuple[tuple[str, str], bytes] = (("", ""), b"")

    def headers(
        self,
        credentials: AwsCredentials,
        *,
        host: str,
        path: str,
        target: str | None,
        body: bytes,
        now: datetime,
        method: str = "POST",
        content_type: str = CONTENT_TYPE,
    ) -> dict[str, str]:
        """Every header the request needs, the signature among them; `now` is in UTC. Services whose paths name the
        operation have no target.
        """
        stamp = now.strftime("%Y%m%dT%H%M%SZ")
        signed = {"content-type": content_type, "host": host, "x-amz-date": stamp}
        if credentials.token:
            signed["x-amz-security-token"] = credentials.token
        if target is not None:
            signed["x-amz-target"] = target
        names = ";".join(signed)
        lines = "".join(f"{name}:{value}\n" for name, value in signed.items())
        canonical = f"{method}\n{path}\n\n{lines}\n{names}\n{hashlib.sha256(body).hexdigest()}"
        scope = f"{stamp[:8]}/{self.region}/{self._service}/aws4_request"
        text = f"{_ALGORITHM}\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        signature = hmac.new(self._signing_key(credentials.secret_key, stamp[:8]), text.encode(), "sha256").hexdigest()
        signed["authorization"] = (
            f"{_ALGORITHM} Credential={credentials.access_key}/{scope}, SignedHeaders={names}, Signature={signature}"
        )
        return signed

    def _signing_key(self, secret: str, day: str) -> bytes:
        cached_for, key = self._cached
        if cached_for != (secret, day):
            key = f"AWS4{secret}".encode()
            for part in (day, self.region, self._service, "aws4_request"):
                key = hmac.digest(key, part.encode(), "sha256")
            # One assignment, so that a thread never pairs one secret with another's key.
            self._cached = (secret, day), key
        return key
