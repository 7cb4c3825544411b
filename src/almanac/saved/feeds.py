"""Private feeds of saved queries: reached by a secret URL, with what the owner may see at the moment."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import quote

import msgspec

from almanac.accounts.port import Accounts
from almanac.errors import NotFound
from almanac.feeds.model import Feed, FeedItem, common_language, parse_moment
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext, translate
from almanac.language.detection import detect_language
from almanac.relational import Database
from almanac.saved import store
from almanac.saved.model import SavedQuery
from almanac.saved.owners import find_active_owner
from almanac.saved.query_runner import NEWEST_FIRST, page_path, run_query
from almanac.search import PUBLISHED_FIELD, SearchHit, SearchIndex, SearchViewer

FeedFormat = Literal["rss", "atom", "json"]
FEED_FORMATS: tuple[FeedFormat, ...] = get_args(FeedFormat)
ITEMS_PER_FEED = 50
_SIGNATURE_BYTES = 18
_PURPOSE = b"saved-query-feed\0"


class FeedTokens:
    """Signs and verifies the tokens in feed URLs with the installation's key; none is stored."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def token(self, saved_id: str, generation: int) -> str:
        """The token of a feed; a new generation makes a new token."""
        body = encode_json([saved_id, generation])
        return urlsafe_b64encode(self._signature(body) + body).decode().rstrip("=")

    def read(self, token: str) -> tuple[str, int] | None:
        """The saved query's id and the generation; None if the signature is wrong."""
        try:
            raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
            signature, body = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
            if hmac.compare_digest(signature, self._signature(body)):
                return msgspec.json.decode(body, type=tuple[str, int])
        except (Base64Error, ValueError):
            pass
        return None

    def _signature(self, body: bytes) -> bytes:
        return hmac.digest(self._key, _PURPOSE + body, "sha256")[:_SIGNATURE_BYTES]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFeeds:
    """URLs and content of private feeds."""

    database: Database
    index: SearchIndex
    accounts: Accounts
    tokens: FeedTokens
    public_url: str

    def addresses(self, saved: SavedQuery) -> dict[str, str]:
        """The feed's URLs by format; empty if it has no feed."""
        if saved.feed_generation is None:
            return {}
        token = self.tokens.token(saved.id, saved.feed_generation)
        return {form: self._url(token, form) for form in FEED_FORMATS}

    async def feed(self, token: str, form: str) -> Feed:
        """The feed of a token; raises NotFound if it is wrong, revoked or of a closed account."""
        saved = await self._find_saved(token)
        owner = await find_active_owner(self.accounts, saved.owner_id) if saved else None
        if saved is None or owner is None or form not in FEED_FORMATS:
            raise NotFound(gettext("Feed not found; its owner may have changed its address."))
        results = await run_query(
            self.index, saved, SearchViewer.for_principal(owner), order=NEWEST_FIRST, limit=ITEMS_PER_FEED
        )
        language = common_language(hit.language for hit in results.hits)
        spoken = language or detect_language(f"{saved.name}\n{saved.query}")
        description = gettext("What Almanac finds for: %(query)s", query=saved.query) if saved.query else saved.name
        return Feed(
            title=saved.name,
            link=self.public_url + page_path(saved),
            self_link=self._url(token, form),
            description=translate(description, spoken),
            items=tuple(self._item(hit, saved) for hit in results.hits),
            language=language,
        )

    async def _find_saved(self, token: str) -> SavedQuery | None:
        content = self.tokens.read(token)
        if content is None:
            return None
        saved_id, generation = content
        async with self.database.unit() as unit:
            saved = await store.find_saved(unit, saved_id)
        return saved if saved and saved.feed_generation == generation else None

    def _item(self, hit: SearchHit, saved: SavedQuery) -> FeedItem:
        """Documents without a date get the day the query was saved, because dates in a feed must not change.

        One that says when it was published, such as an article about a sitting, keeps its date as the day of the event.
        """
        published = parse_moment(hit.fields.get(PUBLISHED_FIELD, ""))
        return FeedItem(
            id=f"urn:almanac:{hit.kind}:{quote(hit.id, safe='')}",
            title=hit.title,
            link=self.public_url + hit.path,
            published=published or hit.date or saved.created_at,
            event_day=hit.date.date() if published and hit.date else None,
            summary="".join(span.text for span in hit.snippet),
            categories=(hit.kind, *(value for values in hit.facets.values() for value in values)),
            language=hit.language,
        )

    def _url(self, token: str, form: str) -> str:
        return f"{self.public_url}/feeds/{token}.{form}"
