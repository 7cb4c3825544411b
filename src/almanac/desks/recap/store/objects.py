"""Where records, prompts, results and texts are kept in the object store, and how they are read and written.

Records and texts are immutable: their keys contain a digest of the content, so a URL always means the same text.
"""

import hashlib
from typing import Any

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.sources.diet_record import UnreadableRecord, parse_meeting
from almanac.desks.recap.store.addresses import find_key, object_url
from almanac.desks.recap.store.reads import RecapReads
from almanac.errors import NotFound
from almanac.kit.json_text import encode_json, to_builtins
from almanac.kit.messages import gettext
from almanac.read_ports import ObjectsLocation
from almanac.services import Services

_ROOT = "recap"
BULK_PREFIX = f"{_ROOT}/bulk/"


def record_key(pk: str, digest: str) -> str:
    """An official record as it was collected."""
    return f"{_ROOT}/records/{pk}/{digest[:16]}.json"


def prompt_key(pk: str, name: str) -> str:
    """What one pack of a sitting consists of."""
    return f"{_ROOT}/prompts/{pk}/{name}.json"


def result_key(pk: str, name: str) -> str:
    """What was written about one pack, or about all of them together."""
    return f"{_ROOT}/results/{pk}/{name}.json"


def article_prefix(article_id: str) -> str:
    """Everything that belongs to one article."""
    return f"{_ROOT}/articles/{article_id}/"


def asset_key(article_id: str, digest: str) -> str:
    """The texts of one version of an article."""
    return f"{article_prefix(article_id)}{digest[:16]}/asset.json"


def item_key(article_id: str, digest: str) -> str:
    """The item of an article that isn't published at present."""
    return f"{article_prefix(article_id)}items/{digest[:16]}.json"


def bulk_key(session: int, digest: str, name: str) -> str:
    """A file of a whole session for programs."""
    return f"{BULK_PREFIX}session-{session}/{digest[:16]}/{name}"


def task_prefixes(pk: str) -> tuple[str, ...]:
    """Everything that belongs to one task."""
    return tuple(f"{_ROOT}/{part}/{pk}/" for part in ("records", "prompts", "results"))


def object_key(settings: ObjectsLocation, url: str) -> str:
    """The key behind a stored URL. NotFound if it belongs to another object store."""
    key = find_key(settings, url)
    if key is None:
        raise NotFound(gettext("This text is kept in another object store; set ALMANAC_OBJECTS_URL to it."))
    return key


class RecapAsset(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `asset.json`: the recap, and the URL of the record it is based on."""

    recap: Recap
    record_url: str


def content_digest(recap: Recap) -> str:
    """A digest of everything a reader sees; the time of writing doesn't count."""
    content: dict[str, Any] = to_builtins(recap)
    content["provenance"].pop("made_at")
    return hashlib.sha256(encode_json(content, order="deterministic")).hexdigest()


def encode_asset(recap: Recap, record_url: str) -> bytes:
    return encode_json({**to_builtins(recap), "record_url": record_url})


def decode_asset(content: bytes) -> RecapAsset:
    """NotFound if another program wrote the asset in its own format."""
    try:
        stored = msgspec.json.decode(content)
        return RecapAsset(recap=msgspec.convert(stored, Recap), record_url=str(stored.get("record_url", "")))
    except (msgspec.MsgspecError, AttributeError) as error:
        raise NotFound(
            gettext("The texts of this article have a form that can't be read here; make it again.")
        ) from error


async def save_asset(services: Services, article_id: str, recap: Recap, record_url: str) -> str:
    """Store the texts of a version; returns their URL."""
    content = encode_asset(recap, record_url)
    key = asset_key(article_id, hashlib.sha256(content).hexdigest())
    await services.objects.put(key, content)
    return object_url(services.settings, key)


async def load_asset(services: RecapReads, url: str) -> RecapAsset:
    if not url:
        raise NotFound(gettext("This article has no texts; make it again."))
    return decode_asset(await services.objects.get(object_key(services.settings, url)))


async def save_record(services: Services, pk: str, raw: bytes) -> str:
    """Store a record as collected; returns its URL."""
    key = record_key(pk, hashlib.sha256(raw).hexdigest())
    await services.objects.put(key, raw)
    return object_url(services.settings, key)


async def load_record(services: RecapReads, url: str) -> Meeting:
    if not url:
        raise NotFound(gettext("The official record of this meeting is not kept here; collect its day again."))
    try:
        return parse_meeting(await services.objects.get(object_key(services.settings, url)))
    except UnreadableRecord as error:
        raise NotFound(gettext("The official record of this meeting can't be read; collect its day again.")) from error
