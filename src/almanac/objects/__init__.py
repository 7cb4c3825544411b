"""Large artefacts outside the row: one port with adapters for a local folder, S3-compatible stores and memory."""

from almanac.objects.port import (
    ListedObject,
    ObjectInfo,
    Objects,
    OpenObject,
    Usage,
    content_type_of,
    valid_key,
    valid_prefix,
)

__all__ = [
    "ListedObject",
    "ObjectInfo",
    "Objects",
    "OpenObject",
    "Usage",
    "content_type_of",
    "valid_key",
    "valid_prefix",
]
