"""The port holds another source: a folder of files in JSON and in Akoma Ntoso, which becomes articles all the same."""

from datetime import date

import msgspec
import pytest

from almanac.desks.recap.sources.akoma_ntoso import parse_debate
from almanac.desks.recap.sources.diet_record import UnreadableRecord, parse_meeting
from almanac.desks.recap.sources.folder import RecordFolder
from almanac.desks.recap.sources.port import CollectedRecord, SkippedRecord, SourceRefused

DEBATE = """<?xml version="1.0" encoding="UTF-8"?>
<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0">
  <debate name="hansard">
    <meta>
      <identification source="#editor">
        <FRBRWork>
          <FRBRthis value="/akn/xx/debaterecord/2026-02-10/main"/>
          <FRBRdate date="2026-02-10" name="sitting"/>
        </FRBRWork>
      </identification>
      <references source="#editor">
        <TLCPerson eId="rivera" href="/ontology/person/rivera" showAs="Ana Rivera"/>
        <TLCRole eId="minister" href="/ontology/role/minister" showAs="Minister"/>
      </references>
    </meta>
    <preface><p>Order of business: <docTitle>Libraries Bill</docTitle></p></preface>
    <debateBody>
      <debateSection name="questions">
        <question by="#rivera" eId="q1"><from>Ana Rivera</from><p>How many libraries</p><p>will open?</p></question>
        <answer by="#lund" as="#minister" eId="a1"><from>Mr Lund</from><p>Fifty.</p></answer>
      </debateSection>
    </debateBody>
  </debate>
</akomaNtoso>
"""


async def collected(folder, first="2026-02-01", last="2026-02-28"):
    source = RecordFolder(folder)
    (span,) = source.spans(date.fromisoformat(first), date.fromisoformat(last))
    return [item async for item in source.collect(span)]


def test_a_debate_becomes_a_sitting():
    meeting = parse_debate(DEBATE.encode())
    assert (meeting.date, meeting.meeting) == (date(2026, 2, 10), "Libraries Bill")
    assert meeting.header.text == "Order of business: Libraries Bill"
    lines = [(item.order, item.speaker, item.position, item.text) for item in meeting.spoken]
    assert lines == [
        (1, "Ana Rivera", None, "How many libraries\nwill open?"),
        (2, "Mr Lund", "Minister", "Fifty."),
    ]


async def test_what_is_kept_of_a_debate_reads_back_to_the_same_sitting(tmp_path):
    (tmp_path / "debate.xml").write_text(DEBATE, "utf-8")
    (results,) = await collected(tmp_path)
    assert isinstance(results, CollectedRecord)
    assert parse_meeting(results.raw) == results.meeting


async def test_files_with_one_or_many_records_are_read_within_the_days_asked_for(tmp_path, sitting):
    item, two, three = sitting(1), sitting(2, day="2026-02-11"), sitting(3, day="2026-04-01")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "one.json").write_bytes(msgspec.json.encode(item))
    (tmp_path / "answer.json").write_bytes(msgspec.json.encode({"meetingRecord": [two, three]}))
    results = await collected(tmp_path)
    assert [each.meeting.issue_id for each in results] == [two["issueID"], item["issueID"]]


async def test_a_file_that_can_not_be_read_is_skipped_with_a_reason(tmp_path):
    (tmp_path / "broken.json").write_text("{", "utf-8")
    (tmp_path / "list.json").write_text("[1]", "utf-8")
    (tmp_path / "page.xml").write_text("<html/>", "utf-8")
    results = await collected(tmp_path)
    assert [item.name for item in results if isinstance(item, SkippedRecord)] == [
        "broken.json",
        "list.json",
        "page.xml",
    ]


@pytest.mark.parametrize("text", ["<!DOCTYPE x [<!ENTITY a 'b'>]><debate/>", "<debate><meta/></debate>", "no xml"])
def test_a_debate_without_a_day_or_with_entities_is_refused(text):
    with pytest.raises(UnreadableRecord):
        parse_debate(text.encode())


def test_entities_in_wide_characters_are_refused_too():
    with pytest.raises(UnreadableRecord, match="UTF-8"):
        parse_debate("<!DOCTYPE x [<!ENTITY a 'b'>]><debate/>".encode("utf-16"))


async def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SourceRefused, match="ALMANAC_RECAP_SOURCE"):
        await collected(tmp_path / "nowhere")
