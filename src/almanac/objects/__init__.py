"""Large artefacts outside the row: one port with adapters for a local folder, S3-compatible stores and memory."""

from almanac.objects.port import (
    ListedObject,
    ObjectInfo,
    ObjectStore,
    OpenObject,
    StoreUsage,
    content_type_of,
    valid_key,
    valid_prefix,
)

__all__ = [
    "ListedObject",
    "ObjectInfo",
    "ObjectStore",
    "OpenObject",
    "StoreUsage",
    "content_type_of",
    "valid_key",
    "valid_prefix",
]
