"""The public pages about corrections: of all articles, of one, and why an article was withdrawn."""

from collections.abc import Mapping

from almanac.desks.recap.model.editorial import ArticleStatusView
from almanac.desks.recap.published.labels import SECTIONS
from almanac.desks.recap.published.layout import build_page, urls
from almanac.desks.recap.service import corrections, editorial
from almanac.kit.messages import gettext, translate
from almanac.public import PublicPage, PublicRequest


async def show_corrections(request: PublicRequest) -> PublicPage:
    """What was corrected or withdrawn in all articles, the latest first."""
    to = urls(request)
    listed = await corrections.list_corrections(request.ports, cursor=request.cursor)

    async def load() -> Mapping[str, object]:
        return {
            "corrections": listed.items,
            "feed_url": f"{to.root}/corrections.atom",
            "next_url": f"{to.corrections()}?cursor={listed.next_cursor}" if listed.next_cursor else "",
            "first_url": to.corrections() if request.cursor else "",
        }

    return build_page(
        request,
        "corrections",
        "corrections",
        load,
        to=to,
        title=translate(SECTIONS["corrections"], request.language),
        description=translate(gettext("What was corrected or withdrawn, and why."), request.language),
        stamp=listed,
        is_listed=request.cursor is None,
    )


async def show_article_corrections(request: PublicRequest) -> PublicPage:
    """What was corrected in one article, and what readers who reported an error were answered."""
    article_id = request.params["article_id"][:200]
    status = await editorial.get_visible_status(request.ports, article_id, is_editor=False)
    listed = await corrections.list_article_corrections(request.ports, article_id)

    async def load() -> Mapping[str, object]:
        return {
            "status": status,
            "corrections": [each for each in listed.corrections if each.status == "applied"],
            "answered": listed.answered,
            "is_editor": False,
        }

    return build_page(
        request,
        "articles",
        "article_corrections",
        load,
        to=urls(request),
        title=translate(SECTIONS["corrections"], request.language),
        stamp=(status, listed),
        is_listed=False,
    )


def withdrawn_page(request: PublicRequest, status: ArticleStatusView) -> PublicPage:
    """Where a withdrawn article was: that it is withdrawn, since when and why."""

    async def load() -> Mapping[str, object]:
        return {"status": status}

    return build_page(
        request,
        "articles",
        "withdrawn",
        load,
        to=urls(request),
        title=translate(gettext("This article was withdrawn"), request.language),
        stamp=status,
        is_listed=False,
        status=410,
    )
