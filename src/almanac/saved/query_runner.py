"""Runs saved queries on the search index, and links to the page that shows their matches."""

from urllib.parse import urlencode

from almanac.saved.model import SavedQuery, SavedQueryInput
from almanac.search import SearchHit, SearchIndex, SearchOrder, SearchResults, SearchViewer
from almanac.search.terms import LANGUAGE

NEWEST_FIRST: SearchOrder = "-date"
_PAGE_SIZE = 100


async def run_query(
    index: SearchIndex,
    saved: SavedQuery | SavedQueryInput,
    viewer: SearchViewer,
    *,
    order: SearchOrder | None = None,
    cursor: str | None = None,
    limit: int = 20,
) -> SearchResults:
    """The current results of a saved query for a viewer."""
    return await index.find(
        saved.query,
        viewer=viewer,
        kinds=saved.kinds,
        filters=saved.filters,
        order=order or saved.sort,
        cursor=cursor,
        limit=limit,
    )


def page_path(saved: SavedQuery) -> str:
    """The search page with the same query, newest first; or the saved query's own page if it has filters that the
    search page doesn't support: several kinds or languages, or other facets."""
    languages = saved.filters.get(LANGUAGE, ())
    if len(saved.kinds) > 1 or len(languages) > 1 or saved.filters.keys() - {LANGUAGE}:
        return f"/saved/{saved.id}"
    params = {"q": saved.query, "kind": saved.kinds, LANGUAGE: languages, "order": NEWEST_FIRST}
    return "/search?" + urlencode({name: value for name, value in params.items() if value}, doseq=True)


async def list_newest(
    index: SearchIndex, saved: SavedQuery | SavedQueryInput, viewer: SearchViewer, *, most: int
) -> list[SearchHit]:
    """All matches, newest first, up to `most`; each document once."""
    hits: dict[tuple[str, str], SearchHit] = {}
    cursor: str | None = None
    while len(hits) < most:
        page = await run_query(
            index, saved, viewer, order=NEWEST_FIRST, cursor=cursor, limit=min(_PAGE_SIZE, most - len(hits))
        )
        hits.update(((hit.kind, hit.id), hit) for hit in page.hits)
        cursor = page.next_cursor
        if cursor is None:
            break
    return list(hits.values())
