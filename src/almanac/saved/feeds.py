"""Private feeds of saved queries: found by a secret address, filled with what the owner may see at this moment."""

from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import quote

from almanac.accounts.port import Accounts
from almanac.errors import NotFound
from almanac.feeds.model import Feed, FeedItem
from almanac.relational import Database
from almanac.saved import store
from almanac.saved.feed_tokens import FeedTokens
from almanac.saved.finding import NEWEST_FIRST, find, page_path
from almanac.saved.model import SavedQuery
from almanac.saved.owners import owner_of
from almanac.search import SearchHit, SearchIndex, SearchViewer

Form = Literal["rss", "atom", "json"]
FORMS: tuple[Form, ...] = get_args(Form)
ITEMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFeeds:
    """Gives feeds their addresses and their content."""

    database: Database
    index: SearchIndex
    accounts: Accounts
    tokens: FeedTokens
    public_url: str

    def addresses(self, saved: SavedQuery) -> dict[str, str]:
        """Where the feed is, by form; nothing while there is none."""
        if saved.feed_generation is None:
            return {}
        token = self.tokens.token(saved.id, saved.feed_generation)
        return {form: self._address(token, form) for form in FORMS}

    async def feed(self, token: str, form: str) -> Feed:
        """The feed at an address. One that is wrong, over or of a closed account is nowhere, whichever it is."""
        saved = await self._saved(token)
        owner = await owner_of(self.accounts, saved.owner_id) if saved else None
        if saved is None or owner is None or form not in FORMS:
            raise NotFound("There is no such feed; its owner may have given it another address.")
        results = await find(self.index, saved, SearchViewer.for_principal(owner), order=NEWEST_FIRST, limit=ITEMS)
        return Feed(
            title=saved.name,
            link=self.public_url + page_path(saved),
            self_link=self._address(token, form),
            description=f"What Almanac finds for: {saved.query}" if saved.query else saved.name,
            items=tuple(self._item(hit, saved) for hit in results.hits),
        )

    async def _saved(self, token: str) -> SavedQuery | None:
        named = self.tokens.read(token)
        if named is None:
            return None
        async with self.database.unit() as unit:
            saved = await store.find_saved(unit, named[0])
        return saved if saved and saved.feed_generation == named[1] else None

    def _item(self, hit: SearchHit, saved: SavedQuery) -> FeedItem:
        """A document without a date counts as of the day the query was saved: a feed's dates must not move."""
        return FeedItem(
            id=f"urn:almanac:{hit.kind}:{quote(hit.id, safe='')}",
            title=hit.title,
            link=self.public_url + hit.path,
            published=hit.date or saved.created_at,
            summary="".join(span.text for span in hit.snippet),
            categories=(hit.kind, *(value for values in hit.facets.values() for value in values)),
            language=hit.language,
        )

    def _address(self, token: str, form: str) -> str:
        return f"{self.public_url}/feeds/{token}.{form}"
