"""Files of the whole site that have no language: the sitemap, in parts that search engines can take."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import ceil
from xml.sax.saxutils import escape

from almanac.errors import NotFound
from almanac.feeds.model import rfc3339
from almanac.public.links import PublicLinks
from almanac.public.model import PublicFile, PublicPart, SitemapEntry
from almanac.read_ports import ReadPorts

PAGES_PER_FILE = 2000
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
_MEDIA_TYPE = "application/xml"

FileHandler = Callable[[Mapping[str, str]], Awaitable[PublicFile]]


def list_site_files(
    parts: Sequence[PublicPart], links: PublicLinks, ports: ReadPorts, languages: Sequence[str]
) -> list[tuple[re.Pattern[str], FileHandler]]:
    """Each file as the pattern of its path and what makes it."""
    by_name = {part.name: part for part in parts}

    async def sitemap_index(_params: Mapping[str, str]) -> PublicFile:
        """Every part of the sitemap."""
        counts = [(part.name, await part.count_pages(ports)) for part in parts]
        names = [f"{name}-{number}" for name, count in counts for number in range(1, ceil(count / PAGES_PER_FILE) + 1)]
        rows = "".join(f"<sitemap><loc>{links.base}/sitemaps/{name}.xml</loc></sitemap>" for name in ["site-1", *names])
        return _xml(f"<sitemapindex {_NAMESPACE}>{rows}</sitemapindex>")

    async def sitemap(params: Mapping[str, str]) -> PublicFile:
        """The pages of one part, in every language."""
        number, part = int(params["number"]), by_name.get(params["part"])
        if params["part"] == "site":
            entries: Sequence[SitemapEntry] = [SitemapEntry(path) for path in _site_pages(parts)]
        elif part is not None and number:
            entries = await part.sitemap(ports, (number - 1) * PAGES_PER_FILE, PAGES_PER_FILE)
        else:
            entries = ()
        if not entries:
            raise NotFound("This part of the sitemap doesn't exist.")
        rows = "".join(_row(entry, links.whole(language, entry.path)) for entry in entries for language in languages)
        return _xml(f"<urlset {_NAMESPACE}>{rows}</urlset>")

    return [
        (re.compile("/sitemap.xml"), sitemap_index),
        (re.compile(r"/sitemaps/(?P<part>[a-z]{1,20})-(?P<number>\d{1,6}).xml"), sitemap),
    ]


def _site_pages(parts: Sequence[PublicPart]) -> list[str]:
    """The front page, the first page of each part, and the pages about them."""
    return ["", *(part.home for part in parts), *(path for part in parts for _, path in part.notes)]


def _row(entry: SitemapEntry, address: str) -> str:
    modified = f"<lastmod>{rfc3339(entry.modified)}</lastmod>" if entry.modified else ""
    return f"<url><loc>{escape(address)}</loc>{modified}</url>"


def _xml(root: str) -> PublicFile:
    return PublicFile(content=f"{_DECLARATION}{root}\n".encode(), media_type=_MEDIA_TYPE)
