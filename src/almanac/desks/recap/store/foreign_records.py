"""The official record behind a task of another program: what its collector kept, or the speeches in its prompts."""

from collections.abc import Mapping
from typing import Any

import msgspec

from almanac.desks.recap.sources.diet_record import UnreadableRecord, encode_record, parse_meeting
from almanac.desks.recap.sources.port import CollectedRecord
from almanac.desks.recap.store.foreign_objects import read_foreign_object
from almanac.desks.recap.store.table import Task
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.services import Services

_NOTHING = gettext("Its addresses lead to no speeches; collect the day of this meeting instead.")


async def fetch_record(services: Services, task: Task) -> CollectedRecord:
    """The record that another program's task is about. NotFound if its addresses lead to none that can be read."""
    facts: dict[str, Any] = {**(task.meeting or {})}
    speeches: list[object] = []
    for url in filter(None, (task.raw_url, task.prompt_url)):
        payload = await _load(services, url)
        facts |= _facts(payload)
        speeches = _speeches(payload) or await _chunk_speeches(services, task, payload)
        if speeches:
            break
    if not speeches:
        raise NotFound(_NOTHING)
    try:
        meeting = parse_meeting({**facts, "speechRecord": speeches})
    except UnreadableRecord as error:
        raise NotFound(str(error)) from error
    return CollectedRecord(encode_record(meeting), meeting)


async def _chunk_speeches(services: Services, task: Task, payload: Mapping[str, Any]) -> list[object]:
    """The speeches of all parts of a meeting that was too long for one prompt."""
    chunks = task.chunks or payload.get("chunks") or ()
    urls = [chunk.get("prompt_url") for chunk in chunks if isinstance(chunk, Mapping)]
    return [speech for url in urls if url for speech in _speeches(await _load(services, str(url)))]


async def _load(services: Services, url: str) -> Mapping[str, Any]:
    try:
        payload = msgspec.json.decode(await read_foreign_object(services, url))
    except msgspec.MsgspecError as error:
        raise NotFound(_NOTHING) from error
    return payload if isinstance(payload, dict) else {}


def _facts(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a payload says of its meeting: itself a record, or an object with one."""
    facts = payload.get("meeting", payload)
    return {name: value for name, value in facts.items() if value} if isinstance(facts, dict) else {}


def _speeches(payload: Mapping[str, Any]) -> list[object]:
    meeting = payload.get("meeting")
    places = (payload, meeting if isinstance(meeting, dict) else {})
    listed = [place.get(name) for place in places for name in ("speechRecord", "speeches")]
    return next((speeches for speeches in listed if isinstance(speeches, list) and speeches), [])
