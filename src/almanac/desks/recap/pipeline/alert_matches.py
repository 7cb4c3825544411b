"""What a new article is about for whom: notes its speeches for everybody who follows them, so that mails tell them.

It runs once for an article that is published for the first time, or that was held and is released; an article that is
written again tells nobody anything new.
"""

from almanac.desks.recap.model.follows import FOLLOW_KINDS, FollowKind, MatchedSpeech, MeetingFollows
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store.objects import load_asset, load_record
from almanac.errors import NotFound
from almanac.jobs import JobType, RunningJob
from almanac.kit.messages import gettext
from almanac.relational import ReadTransaction, Unit
from almanac.services import Services
from almanac.subscribers import store as subscriptions

DESK = "recap"


async def announce_speeches(unit: Unit, services: Services, article_id: str) -> None:
    """Let readers be told of an article's speeches; it happens once the unit commits."""
    await services.jobs.defer(MATCH_ALERTS, {"article_id": article_id}, unit=unit)


async def match_alerts(services: Services, article_id: str) -> int:
    """Note the speeches of an article for whoever follows them; returns for how many. Idempotent."""
    try:
        article = await store.get_article(services.tables, article_id)
        asset = await load_asset(services, article.asset_url or "")
        follows = MeetingFollows(await load_record(services, asset.record_url), asset.recap)
    except NotFound:
        return 0
    matches: list[MatchedSpeech] = []
    async with services.database.reading() as reading:
        for kind in FOLLOW_KINDS:
            matches += follows.find(kind, await _list_followed(reading, kind, follows))
    rows = [(match.kind, match.target, str(match.order)) for match in matches]
    async with services.database.unit() as unit:
        return await subscriptions.add_items(unit, DESK, article_id, rows, services.clock.now())


async def _list_followed(reading: ReadTransaction, kind: FollowKind, follows: MeetingFollows) -> set[str]:
    """What anybody follows of a kind; all words, since only the speeches tell which of them occur."""
    among = {"person": list(follows.people), "bill": list(follows.bills), "meeting": follows.bodies, "words": None}
    return await subscriptions.list_targets(reading, DESK, kind, among[kind])


async def _match(job: RunningJob[Services], article_id: str) -> None:
    await match_alerts(job.services, article_id)


MATCH_ALERTS = JobType(
    "recap.match-alerts", _match, queue="alerts", title=gettext("Find who follows what a meeting is about")
)
