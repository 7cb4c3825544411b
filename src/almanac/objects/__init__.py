"""Large artefacts outside the row: one port with adapters for a local folder, S3-compatible stores and memory."""

from almanac.objects.keys import content_type_of, valid_key, valid_prefix
from almanac.objects.port import ListedObject, ObjectInfo, Objects, OpenObject, Usage
from almanac.objects.transfer import Transferred, copy_all

__all__ = [
    "ListedObject",
    "ObjectInfo",
    "Objects",
    "OpenObject",
    "Transferred",
    "Usage",
    "content_type_of",
    "copy_all",
    "valid_key",
    "valid_prefix",
]
