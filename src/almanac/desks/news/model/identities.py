"""Which other addresses a page may be known by: where it ends, and what it calls itself if that is believable."""

from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

from almanac.desks.news.model.urls import canonical_url
from almanac.errors import InputError

_HOME_PAGES = frozenset({"/", "/en", "/zh", "/ms", "/home", "/index"})


def further_identities(url: str, *, final: str, stated: str | None) -> list[str]:
    """Canonical addresses besides the link's own, the best last. `stated` is the page's rel=canonical."""
    own = canonical_url(url)
    found = [canonical_url(final)] if is_page_of(final, url) else []
    if stated and (believed := believable(stated, final)):
        found.append(believed)
    return [address for address in dict.fromkeys(found) if address != own]


def believable(stated: str, page: str) -> str | None:
    """What a page calls itself, canonical; None where that is another site or a front page for every article."""
    try:
        there, here = canonical_url(urljoin(page, stated.strip())), canonical_url(page)
    except (InputError, ValueError):
        return None
    if not _same_site(there, here) or (_is_home(there) and not _is_home(here)):
        return None
    return there


def is_page_of(final: str, url: str) -> bool:
    """A link that ends on a front page led nowhere: many sites answer so for pages that are gone."""
    try:
        return not _is_home(canonical_url(final)) or _is_home(canonical_url(url))
    except InputError:
        return False


def _is_home(canonical: str) -> bool:
    parts = urlsplit(canonical)
    return parts.path.lower() in _HOME_PAGES and not parts.query and not parts.fragment


def _same_site(one: str, other: str) -> bool:
    hosts: Sequence[str] = sorted((urlsplit(one).netloc, urlsplit(other).netloc), key=len)
    return hosts[0] == hosts[1] or (hosts[1].endswith("." + hosts[0]) and hosts[0].count(".") > 0)
