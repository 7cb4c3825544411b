"""The secrets that webhooks are signed with: derived from the installation's own secret, so none is ever stored."""

from base64 import urlsafe_b64encode
from datetime import datetime

from almanac.kit.signatures import derive_key
from almanac.webhooks.model import Endpoint

PREFIX = "whsec_"


def secret_of(key: bytes, endpoint_id: str, generation: int) -> str:
    """The secret of an endpoint as it is shown once, and as the receiver uses it: the whole text is the HMAC key."""
    return PREFIX + urlsafe_b64encode(derive_key(key, f"webhook {endpoint_id} {generation}")).decode().rstrip("=")


def signing_secrets(key: bytes, endpoint: Endpoint, now: datetime) -> list[bytes]:
    """What to sign with now: the current secret, and for a while after a change also the one before."""
    generations = [endpoint.secret_generation]
    if endpoint.old_secret_until and endpoint.old_secret_until > now:
        generations.append(endpoint.secret_generation - 1)
    return [secret_of(key, endpoint.id, generation).encode() for generation in generations]
