"""The texts of an article as one object, the official record as another; both are written once and never changed."""

import hashlib
from typing import Any

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.objects import asset_key, key_of, record_key, url_of
from almanac.desks.recap.sources.diet_record import UnreadableRecord, meeting_of
from almanac.errors import NotFound
from almanac.services import Services


class Asset(msgspec.Struct, frozen=True, kw_only=True):
    """What `asset.json` holds: the recap under its documented names, and where the record is that it rests on."""

    recap: Recap
    record_url: str


def content_digest(recap: Recap) -> str:
    """Changes whenever anything changes that a reader sees; when it was made is no such thing."""
    content: dict[str, Any] = msgspec.to_builtins(recap)
    content["provenance"].pop("made_at")
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


def encode_asset(recap: Recap, record_url: str) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(recap), "record_url": record_url})


def decode_asset(content: bytes) -> Asset:
    """NotFound where another program wrote it in a form of its own."""
    try:
        stored = msgspec.json.decode(content)
        return Asset(recap=msgspec.convert(stored, Recap), record_url=str(stored.get("record_url", "")))
    except (msgspec.MsgspecError, AttributeError) as error:
        raise NotFound("The texts of this article have a form that can't be read here; make it again.") from error


async def save_asset(services: Services, article_id: str, recap: Recap, record_url: str) -> str:
    """Keep the texts of a version; returns their address."""
    content = encode_asset(recap, record_url)
    key = asset_key(article_id, hashlib.sha256(content).hexdigest())
    await services.objects.put(key, content)
    return url_of(services.settings, key)


async def load_asset(services: Services, url: str) -> Asset:
    if not url:
        raise NotFound("This article has no texts; make it again.")
    return decode_asset(await services.objects.get(key_of(services.settings, url)))


async def load_foreign_asset(services: Services, url: str) -> dict[str, Any]:
    """The texts of an article as another program keeps them; empty where they can't be reached."""
    try:
        content = await services.objects.get(key_of(services.settings, url)) if url else b"{}"
        return msgspec.json.decode(content, type=dict[str, Any])
    except (NotFound, msgspec.MsgspecError):
        return {}


async def save_record(services: Services, pk: str, raw: bytes) -> str:
    """Keep a record as it was collected; returns its address."""
    key = record_key(pk, hashlib.sha256(raw).hexdigest())
    await services.objects.put(key, raw)
    return url_of(services.settings, key)


async def load_record(services: Services, url: str) -> Meeting:
    if not url:
        raise NotFound("The official record of this meeting is not kept here; collect its day again.")
    try:
        return meeting_of(await services.objects.get(key_of(services.settings, url)))
    except UnreadableRecord as error:
        raise NotFound("The official record of this meeting can't be read; collect its day again.") from error
