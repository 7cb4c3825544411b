"""What of jobs and mail a person may see: the platform's own, and that of the desks which they may read."""

from collections.abc import Sequence

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, desk_permission
from almanac.errors import NotFound
from almanac.jobs import JobDetail, ScheduleView
from almanac.jobs.model import job_not_found
from almanac.kit.messages import gettext
from almanac.mail.model import MessageDetail
from almanac.services import Services

# Tasks, queues and mail topics of a desk begin with its name; knowledge is the newsletter desk's.
_DESK_OF_AREA = {**{desk: desk for desk in DESKS}, "knowledge": "newsletter"}


def hidden_areas(principal: Principal) -> tuple[str, ...]:
    """What the tasks, queues and mail topics begin with that this person may not see."""
    return tuple(area for area, desk in _DESK_OF_AREA.items() if not principal.may(desk_permission(desk, "read")))


def is_visible(principal: Principal, name: str) -> bool:
    """Whether a person may see the task, queue or mail topic of this name."""
    return name.partition(".")[0] not in hidden_areas(principal)


async def get_visible_job(services: Services, principal: Principal, job_id: int) -> JobDetail:
    """The job; NotFound if it doesn't exist or works for a desk that the person may not read."""
    detail = await services.jobs.job(job_id)
    if not is_visible(principal, detail.job.task):
        raise NotFound(job_not_found(job_id))
    return detail


async def find_visible_jobs(services: Services, principal: Principal, ids: Sequence[int]) -> list[int]:
    """Those of the jobs that the person may see; ids of jobs that don't exist stay."""
    return [job_id for job_id in ids if await _may_see_job(services, principal, job_id)]


async def list_visible_schedules(services: Services, principal: Principal) -> list[ScheduleView]:
    """The schedules of the platform and of the desks that the person may read."""
    return [view for view in await services.jobs.schedules() if is_visible(principal, view.task)]


async def require_visible_schedule(services: Services, principal: Principal, name: str) -> None:
    """NotFound if there is no such schedule among those that the person may see."""
    if name not in {view.name for view in await list_visible_schedules(services, principal)}:
        raise NotFound(gettext("There is no schedule named %(name)s.", name=name))


async def get_visible_mail(services: Services, principal: Principal, mail_id: str) -> MessageDetail:
    """The message; NotFound if it doesn't exist or was sent by a desk that the person may not read."""
    message = await services.mailbox.get(mail_id)
    if not is_visible(principal, message.line.topic):
        raise NotFound(gettext("There is no mail with this id."))
    return message


async def _may_see_job(services: Services, principal: Principal, job_id: int) -> bool:
    try:
        return is_visible(principal, (await services.jobs.job(job_id)).job.task)
    except NotFound:
        return True
