"""What tasks would find, by the job that found out."""

from datetime import datetime

import msgspec

from almanac.desks.news.model.tasks import Preview
from almanac.desks.news.store.rows import QUERIES
from almanac.relational import Jsonb, Unit


async def keep_preview(unit: Unit, job_id: int, found: Preview, now: datetime) -> None:
    given = {"job_id": job_id, "found": Jsonb(msgspec.to_builtins(found)), "now": now}
    await unit.execute(QUERIES["keep_preview"], given)


async def find_preview(unit: Unit, job_id: int) -> Preview | None:
    stored = await unit.value(QUERIES["find_preview"], {"job_id": job_id})
    return None if stored is None else msgspec.convert(stored, Preview)


async def forget_previews(unit: Unit, before: datetime) -> int:
    """Forget what was found out before a moment."""
    return await unit.execute(QUERIES["forget_previews"], {"before": before})
