"""Checks the settings of a table beside its keys and capacity: stream, encryption, class and tags."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tablature.engine.errors import invalid_parameter, validation_error

MAX_TAGS = 50
_LONGEST_TAG_KEY = 128
_LONGEST_TAG_VALUE = 256
_TAG_TEXT = re.compile(r"[\w\s+\-=._:/@]*")
_TABLE_CLASSES = ("STANDARD", "STANDARD_INFREQUENT_ACCESS")

Request = Mapping[str, Any]


def check_new_stream(given: Request | None) -> None:
    """Reject a new table's stream with a view type missing, or one given for no stream."""
    if given is None:
        return
    if given["StreamEnabled"] and given.get("StreamViewType") is None:
        raise invalid_parameter("Table is being created with a stream enabled, UpdateViewType is required")
    if not given["StreamEnabled"] and given.get("StreamViewType") is not None:
        raise invalid_parameter("Table is being created with a stream disabled, UpdateViewType should not be specified")


def check_changed_stream(given: Request) -> None:
    """Reject a change of stream with a view type missing, or one given when switching off."""
    if given["StreamEnabled"] and given.get("StreamViewType") is None:
        raise invalid_parameter("If stream is being enabled then UpdateViewType is required")
    if not given["StreamEnabled"] and given.get("StreamViewType") is not None:
        raise invalid_parameter("If stream is being disabled, then UpdateViewType must not be specified")


def check_encryption(given: Request | None) -> None:
    """Reject encryption settings that contradict each other."""
    if given is None:
        return
    kind, key = given.get("SSEType"), given.get("KMSMasterKeyId")
    if given.get("Enabled") is False:
        if kind is not None:
            raise invalid_parameter("SSEType can not be specified if Enabled is false")
        if key is not None:
            raise invalid_parameter("KMSMasterKeyId can not be specified if Enabled is false")
    if kind == "AES256":
        raise invalid_parameter("SSEType AES256 is not supported")
    if key is not None and kind is None:
        raise invalid_parameter("SSEType KMS is required if KMSMasterKeyId is specified")


def encryption_key(given: Request | None) -> str | None:
    """The name of the key that the settings ask for, or None for the service's own key."""
    if given is None or not (given.get("Enabled") or given.get("SSEType") == "KMS"):
        return None
    return given.get("KMSMasterKeyId") or "alias/aws/dynamodb"


def check_table_class(given: str | None) -> None:
    if given is not None and given not in _TABLE_CLASSES:
        raise validation_error(
            "Invalid table-class parameter provided. Please try again with a valid table-class value: "
            "[STANDARD, STANDARD_INFREQUENT_ACCESS]."
        )


def check_tags(tags: Sequence[Request]) -> None:
    """Reject a set of tags with a bad key or value, a key twice, or too many of them."""
    seen: set[str] = set()
    for tag in tags:
        key, value = tag.get("Key"), tag.get("Value")
        check_tag_key(key)
        if value is None or len(value) > _LONGEST_TAG_VALUE or not _TAG_TEXT.fullmatch(value):
            raise validation_error(f"The Tag Value provided is invalid, Value: {'null' if value is None else value}")
        if key in seen:
            raise validation_error(f"Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}")
        seen.add(str(key))
    check_tag_count(len(tags))


def check_tag_key(key: str | None) -> None:
    if not key or len(key) > _LONGEST_TAG_KEY or not _TAG_TEXT.fullmatch(key):
        raise validation_error(f"The Tag Key provided is invalid, Key: {'null' if key is None else key}")
    if key.lower().startswith("aws:"):
        raise validation_error(f"Tag Key cannot be prefixed with aws:, Key: {key}")


def check_tag_count(count: int) -> None:
    if count > MAX_TAGS:
        raise validation_error("Number of Tags exceed the current limit for the provided ResourceArn")
