"""Keys for signing: one secret of the installation, and a separate key derived from it for each purpose."""

import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def derive_key(secret: bytes, purpose: str) -> bytes:
    """A key for one purpose; keys of different purposes tell nothing about each other."""
    return hmac.digest(secret, purpose.encode(), "sha256")


def load_secret(path: Path) -> bytes:
    """The secret kept in a file, made on first use; several processes starting at once agree on one."""
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        # A link, unlike a rename, never replaces the secret that another process was quicker to make.
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        Path(draft).unlink()
    return path.read_bytes().strip()
