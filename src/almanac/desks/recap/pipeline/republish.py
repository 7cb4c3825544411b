"""Publishes an article again from what is written already, so that its corrections take effect."""

from almanac.audit.model import Actor
from almanac.desks.recap.pipeline.publish import PublishedArticle, publish_recap
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import editorial
from almanac.desks.recap.store.objects import load_asset, load_record
from almanac.services import Services


async def republish_with_corrections(
    services: Services, article_id: str, *, reason: str, by: Actor
) -> PublishedArticle:
    """A new version with all corrections that stand, made of the texts as they were before any of them."""
    article = await editorial.find_item(services, article_id)
    version = await store.get_version(services.tables, article, article.version or 1)
    asset = await load_asset(services, version.base_url or version.asset_url)
    meeting = await load_record(services, asset.record_url)
    return await publish_recap(services, meeting, asset.recap, record_url=asset.record_url, reason=reason, by=by)
