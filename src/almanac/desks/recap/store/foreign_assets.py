"""Texts that other programs keep at their `asset_url`: read from the configured store or fetched, and copied.

Both sides read the copy, since the public one can neither fetch nor read elsewhere in the store. A copy holds the
documented fields alone.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

from almanac.desks.recap.model.foreign import TEXT_FIELDS, ForeignTexts, parse_texts
from almanac.desks.recap.store.addresses import find_key
from almanac.desks.recap.store.foreign_objects import read_foreign_object
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.store.table import Article
from almanac.errors import AlmanacError, NotFound
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.ttl_cache import TtlCache
from almanac.services import Services
from tablature.schema.entity import stored_item
from tablature.wire import from_wire

_FRESH = timedelta(hours=1)
_FOREIGN = "recap/articles/foreign/"
# A host that doesn't answer is asked again after a few minutes, not for every reader.
_PROBLEMS: TtlCache[str] = TtlCache(300)


def copy_key(article: Article) -> str:
    """Where the copy of an article's texts is; another asset_url has another copy."""
    digest = hashlib.sha256(f"{article.id}\n{article.asset_url}".encode()).hexdigest()
    return f"{_FOREIGN}{digest[:32]}.json"


async def load_texts(services: RecapReads, article: Article) -> ForeignTexts:
    """The texts of another program's article, from its copy or from its item; empty where neither has any."""
    with suppress(NotFound, msgspec.MsgspecError):
        copied = msgspec.json.decode(await services.objects.get(copy_key(article)), type=dict[str, Any])
        return parse_texts(copied)
    return parse_texts(_item_fields(article))


def _item_fields(article: Article) -> dict[str, object]:
    """The texts that early articles hold in the item itself."""
    item = stored_item(article) or {}
    return {name: from_wire(item[name]) for name in TEXT_FIELDS if name in item}


@dataclass(frozen=True, slots=True)
class CopyOutcome:
    """Whether the texts were copied just now, and if not, why they can't be, or "" where the copy is recent."""

    is_new: bool = False
    problem: str = ""


async def copy_texts(services: Services, article: Article, *, may_fetch: bool = True) -> CopyOutcome:
    """Copy the texts of another program's article unless a recent copy is there."""
    if not article.asset_url:
        has_texts = bool(parse_texts(_item_fields(article)))
        return CopyOutcome(problem="" if has_texts else gettext("Its item has no asset_url."))
    if await _is_fresh(services, article):
        return CopyOutcome()
    key = find_key(services.settings, article.asset_url)
    if key is None and not may_fetch:
        return CopyOutcome()
    problem = await _PROBLEMS.get(lambda: _copy(services, article), key=(services.secret, copy_key(article)))
    return CopyOutcome(is_new=not problem, problem=problem)


async def _is_fresh(services: Services, article: Article) -> bool:
    try:
        copied = await services.objects.head(copy_key(article))
    except NotFound:
        return False
    return services.clock.now() - copied.modified_at < _FRESH


async def _copy(services: Services, article: Article) -> str:
    try:
        asset = msgspec.json.decode(await read_foreign_object(services, article.asset_url or ""), type=dict[str, Any])
    except msgspec.MsgspecError:
        return gettext("What is at its asset_url isn't a JSON object.")
    except AlmanacError as error:
        return error.sentence
    fields = parse_texts(asset).fields
    if not fields:
        return gettext("What is at its asset_url has none of the documented texts.")
    await services.objects.put(copy_key(article), encode_json(fields))
    return ""
