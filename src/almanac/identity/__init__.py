"""Which installation this is: its id in the database and in object storage, and the fingerprint of its secret key."""

from almanac.identity.service import (
    MARKER,
    InstallationRecord,
    accept_secret,
    announce_installation,
    find_installation,
    find_missing_objects,
    fingerprint,
    read_clock,
    read_marker,
)

__all__ = [
    "MARKER",
    "InstallationRecord",
    "accept_secret",
    "announce_installation",
    "find_installation",
    "find_missing_objects",
    "fingerprint",
    "read_clock",
    "read_marker",
]
