"""The forms in which files hold records, told by their content: one entry for each parliament's XML, and JSON."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.sources.akoma_ntoso import parse_debate
from almanac.desks.recap.sources.diet_record import UnreadableRecord, encode_record, parse_meeting
from almanac.desks.recap.sources.hansard_debates import is_debate, parse_debates
from almanac.desks.recap.sources.hansard_xml import ROOT as PUBLICWHIP
from almanac.desks.recap.sources.hansard_xml import parse_publicwhip
from almanac.desks.recap.sources.plenarprotokoll import ROOT as PLENARPROTOKOLL
from almanac.desks.recap.sources.plenarprotokoll import parse_plenarprotokoll
from almanac.desks.recap.sources.port import CollectedRecord, SkippedRecord
from almanac.desks.recap.sources.xml_files import local_name, parse_xml
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext

XmlParser = Callable[[bytes], Meeting | None]
_XML_FORMS: Mapping[str, XmlParser] = {
    "akomaNtoso": parse_debate,
    PUBLICWHIP: parse_publicwhip,
    PLENARPROTOKOLL: parse_plenarprotokoll,
}
"""By the name of the root element. A parser returns None for a file that another one replaces."""


def read_xml(content: bytes) -> Iterator[CollectedRecord]:
    """The sitting in an XML file; UnreadableRecord where no form fits."""
    parse = _XML_FORMS.get(local_name(parse_xml(content)), parse_debate)
    meeting = parse(content)
    if meeting is not None:
        yield CollectedRecord(encode_record(meeting), meeting)


def read_json(name: str, content: bytes) -> Iterator[CollectedRecord | SkippedRecord]:
    """The sittings in a JSON file: debates of Hansard's interface, or records in the shape of the National Diet's."""
    decoded = _decoded(content)
    debates = decoded if isinstance(decoded, list) else [decoded]
    if debates and all(map(is_debate, debates)):
        meeting = parse_debates(debates)
        yield CollectedRecord(encode_record(meeting), meeting)
        return
    records = decoded.get("meetingRecord", decoded) if isinstance(decoded, dict) else decoded
    for record in records if isinstance(records, list) else [records]:
        try:
            yield CollectedRecord(encode_json(record), parse_meeting(record))
        except UnreadableRecord as error:
            yield SkippedRecord(name, str(error))


def _decoded(content: bytes) -> Any:
    try:
        return msgspec.json.decode(content)
    except msgspec.MsgspecError as error:
        raise UnreadableRecord(gettext("The file isn't valid JSON (%(error)s).", error=error)) from error
