"""Running a saved query: the one place where it becomes a search, and the address where a person sees it run."""

from urllib.parse import urlencode

from almanac.saved.model import QueryWish, SavedQuery
from almanac.search import SearchHit, SearchIndex, SearchOrder, SearchResults, SearchViewer
from almanac.search.terms import LANGUAGE

NEWEST_FIRST: SearchOrder = "-date"
_PAGE = 100


async def find(
    index: SearchIndex,
    saved: SavedQuery | QueryWish,
    viewer: SearchViewer,
    *,
    order: SearchOrder | None = None,
    cursor: str | None = None,
    limit: int = 20,
) -> SearchResults:
    """What a saved query finds for a viewer now."""
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
    """Where a page of this site shows the same: the search page, newest first, unless it can't ask for so much.

    It takes one kind and one language. What is narrowed down further is seen on the saved query's own page.
    """
    languages = saved.filters.get(LANGUAGE, ())
    if len(saved.kinds) > 1 or len(languages) > 1 or saved.filters.keys() - {LANGUAGE}:
        return f"/saved/{saved.id}"
    chosen = {"q": saved.query, "kind": saved.kinds, LANGUAGE: languages, "order": NEWEST_FIRST}
    return "/search?" + urlencode({name: value for name, value in chosen.items() if value}, doseq=True)


async def newest(
    index: SearchIndex, saved: SavedQuery | QueryWish, viewer: SearchViewer, *, most: int
) -> list[SearchHit]:
    """Everything it finds, newest first, up to a limit; each document once."""
    found: dict[tuple[str, str], SearchHit] = {}
    cursor: str | None = None
    while len(found) < most:
        page = await find(index, saved, viewer, order=NEWEST_FIRST, cursor=cursor, limit=min(_PAGE, most - len(found)))
        found.update(((hit.kind, hit.id), hit) for hit in page.hits)
        cursor = page.next_cursor
        if cursor is None:
            break
    return list(found.values())
