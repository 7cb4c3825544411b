"""oEmbed in JSON: other sites ask how to show a page, and get a frame of its small form, which runs no script."""

from collections.abc import Sequence
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import QueryParams

from almanac.errors import AlmanacError, NotFound
from almanac.kit.catalogs import INTERFACE_LANGUAGES
from almanac.kit.json_text import encode_json
from almanac.public.card_image import CARD_HEIGHT, CARD_WIDTH
from almanac.public.model import Embed, PublicFile, PublicPart, PublicRequest, PublicRoute

WIDTH, MOST_WIDTH = 600, 800
CACHE_SECONDS = 3600
_JSON = "application/json"
_LONGEST_URL = 1500


class UnknownEmbedFormat(AlmanacError, code="not_implemented", status=501):
    """Another form than JSON was asked for."""


def oembed_route(parts: Sequence[PublicPart]) -> PublicRoute:
    """The route that answers for the pages of these parts."""

    async def show_oembed(request: PublicRequest) -> PublicFile:
        """How another site shows a page in a frame (oEmbed, JSON): `url`, and perhaps `maxwidth` and `maxheight`."""
        if request.text("format") not in ("", "json"):
            raise UnknownEmbedFormat("Only JSON can be asked for.")
        asked = locate_page(request, request.text("url", _LONGEST_URL))
        for part in parts:
            if (embed := await part.embed(asked)) is not None:
                return PublicFile(content=encode_json(_describe(request, asked, embed)), media_type=_JSON)
        raise NotFound("This page can't be embedded.")

    return PublicRoute("/oembed", show_oembed, has_language=False)


def locate_page(request: PublicRequest, url: str) -> PublicRequest:
    """The request for a page of ours by its whole address. NotFound for any other address."""
    try:
        split, base = urlsplit(url), urlsplit(request.links.base)
    except ValueError as error:
        raise NotFound("This isn't an address.") from error
    below = split.path.removeprefix(base.path)
    is_ours = (split.scheme, split.netloc) == (base.scheme, base.netloc) and split.path.startswith(f"{base.path}/")
    language, _, path = below.removeprefix("/").partition("/")
    if not is_ours or language not in INTERFACE_LANGUAGES:
        raise NotFound("This page isn't on this site.")
    return PublicRequest(
        language=language,
        path=f"/{path}",
        params={},
        query=QueryParams(split.query),
        links=request.links,
        ports=request.ports,
    )


def _describe(request: PublicRequest, asked: PublicRequest, embed: Embed) -> dict[str, object]:
    width = min(request.number("maxwidth", WIDTH, most=100_000), MOST_WIDTH)
    height = min(request.number("maxheight", embed.height, most=100_000), embed.height)
    frame = escape(asked.links.whole(asked.language, embed.frame))
    answer: dict[str, object] = {
        "type": "rich",
        "version": "1.0",
        "title": embed.title,
        "provider_name": request.ports.settings.organisation or "Almanac",
        "provider_url": asked.links.whole(asked.language),
        "cache_age": CACHE_SECONDS,
        "width": width,
        "height": height,
        "html": (
            f'<iframe src="{frame}" width="{width}" height="{height}" title="{escape(embed.title)}" loading="lazy" '
            'sandbox="allow-popups allow-popups-to-escape-sandbox" style="border:0;max-width:100%"></iframe>'
        ),
    }
    if embed.image is not None and not {"maxwidth", "maxheight"} & set(request.query):
        # A picture may not be larger than the most that was asked for, and there is one size of it.
        answer |= {
            "thumbnail_url": asked.links.whole(asked.language, embed.image.path),
            "thumbnail_width": CARD_WIDTH,
            "thumbnail_height": CARD_HEIGHT,
        }
    return answer
