"""XML of official records, read safely: the only entities that a document type may define are single characters."""

import re
from xml.etree import ElementTree as ET

from almanac.desks.recap.sources.diet_record import UnreadableRecord
from almanac.kit.messages import gettext

_DOCTYPE = re.compile(rb"<!DOCTYPE\s+[\w-]+\s*(?:\[(?P<subset>[^\[\]]*)\]\s*|(?:SYSTEM|PUBLIC)[^<>\[\]]*)?>")
_ENTITY = re.compile(rb"<!ENTITY\s+(\w+)\s+[\"'](&#x?[0-9a-fA-F]{1,6};|[^&<>\"'%]{1,4})[\"']\s*>")
_USED = re.compile(rb"&(\w+);")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_BUILT_IN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})


def parse_xml(content: bytes) -> ET.Element:
    """The root of a document; UnreadableRecord where it isn't XML or defines entities that could grow."""
    if b"\0" in content:
        raise UnreadableRecord(gettext("The file is not in UTF-8; save it as that."))
    plain = _without_doctype(content)
    try:
        return ET.fromstring(plain)  # noqa: S314 - without a document type there are no entities to expand
    except ET.ParseError as error:
        raise UnreadableRecord(gettext("The file isn't valid XML (%(error)s).", error=error)) from error


def _without_doctype(content: bytes) -> bytes:
    """The document with its character entities written out and without its document type."""
    match = _DOCTYPE.search(content[:20_000])
    if match is None:
        body, entities = content, dict[bytes, bytes]()
    else:
        subset = _COMMENT.sub(b"", match["subset"] or b"")
        entities = dict(_ENTITY.findall(subset))
        if _ENTITY.sub(b"", subset).strip():
            raise UnreadableRecord(gettext("The file has a document type; remove it."))
        body = content[: match.start()] + content[match.end() :]
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise UnreadableRecord(gettext("The file has a document type; remove it."))
    return _USED.sub(lambda used: used[0] if used[1] in _BUILT_IN else entities.get(used[1], used[0]), body)


def local_name(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def element_text(element: ET.Element | None) -> str:
    """All text of an element as one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
