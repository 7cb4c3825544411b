"""Failed jobs as people see them: named by what they worked on, and shown only to those whom they concern.

A failure concerns whoever owns the object or may write at its desk, and administrators. Others don't learn what an
object is called; an administrator who may not see it learns only its kind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, Role, desk_permission
from almanac.errors import NotAllowed, NotFound
from almanac.http.desk import Desk, NamedObject, ObjectNamer
from almanac.http.visibility import get_visible_mail, is_visible
from almanac.jobs import SCHEDULE_KIND, FailureFilter, JobDetail, JobFailure, JobObject, JobView
from almanac.kit.messages import gettext
from almanac.knowledge import KnowledgeViewer
from almanac.services import Services
from tablature.errors import TablatureError

READ_AT_ONCE = 200
HIDDEN_REASON = gettext("Only those who may see it see the reason.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFailure:
    """A failure as one person may see it. `object` is None if there is none, or if they may not see it."""

    failure: JobFailure
    title: str
    object: NamedObject | None
    reason: str
    is_own: bool

    @property
    def is_alarm(self) -> bool:
        """Whether somebody has to act: an administrator about a fault, an owner about what they gave."""
        return self.is_own or not self.failure.by_input

    @property
    def name(self) -> str:
        """What failed: the name of the object if it may be seen, otherwise the kind of work."""
        return self.object.title if self.object else self.title


def is_operator(principal: Principal) -> bool:
    """Whether this person runs the installation, and comes in a way that may see jobs."""
    return principal.role is Role.ADMIN and principal.may("jobs.read")


def may_write_at_its_desk(principal: Principal, failure: JobFailure) -> bool:
    """Whether the work belongs to a desk, and this person may write there."""
    return failure.queue in DESKS and principal.may(desk_permission(failure.queue, "write"))


def count_alarms(principal: Principal, failures: Sequence[JobFailure]) -> int:
    """How many failures this person has to do something about, as far as that is known without their objects."""
    return sum(
        not failure.by_input
        and is_visible(principal, failure.task)
        and (is_operator(principal) or (_is_nobodys(failure) and may_write_at_its_desk(principal, failure)))
        for failure in failures
    )


class FailureNames:
    """Finds what failed jobs worked on, for one person; each object is looked up once."""

    def __init__(self, services: Services, desks: Sequence[Desk], principal: Principal) -> None:
        self._services = services
        self._principal = principal
        self._namers: Mapping[str, ObjectNamer] = {
            **_PLATFORM_NAMERS,
            **{kind: namer for desk in desks for kind, namer in desk.object_namers.items()},
        }
        self._names: dict[JobObject, NamedObject | None] = {}

    async def find(self, which: JobObject | None) -> NamedObject | None:
        """The object; None if there is none, it is gone, or this person may not see it."""
        if which is None or which.kind not in self._namers:
            return None
        if which not in self._names:
            try:
                self._names[which] = await self._namers[which.kind](self._services, self._principal, which.id)
            except (NotFound, NotAllowed, TablatureError):
                self._names[which] = None
        return self._names[which]

    async def redact(self, job: JobView) -> JobView:
        """The job without its reason, if that tells about an object that this person may not see."""
        if not (job.by_input and job.object) or await self.find(job.object) is not None:
            return job
        return replace(job, reason=HIDDEN_REASON)

    async def redact_detail(self, detail: JobDetail) -> JobDetail:
        """The job without the reasons of its attempts, under the same condition."""
        job = await self.redact(detail.job)
        if job is detail.job:
            return detail
        return replace(detail, job=job, runs=[replace(run, reason=run.reason and HIDDEN_REASON) for run in detail.runs])

    async def show(self, failure: JobFailure) -> ShownFailure | None:
        """The failure as this person may see it; None if it doesn't concern them."""
        named = await self.find(failure.object)
        is_own = named is not None and self._principal.owns(named.owner_id)
        is_seen = named is not None or _is_nobodys(failure)
        if not (is_own or is_operator(self._principal)) and not (
            is_seen and may_write_at_its_desk(self._principal, failure)
        ):
            return None
        reason = failure.reason or gettext("No reason was recorded.")
        return ShownFailure(
            failure=failure,
            title=self._services.jobs.title_of(failure.task),
            object=named,
            reason=reason if is_seen or not failure.by_input else HIDDEN_REASON,
            is_own=is_own,
        )


async def list_failures(
    services: Services,
    desks: Sequence[Desk],
    principal: Principal,
    which: FailureFilter | None = None,
    *,
    failures: Sequence[JobFailure] | None = None,
) -> list[ShownFailure]:
    """The failures that concern this person, newest first, among those given or all."""
    names = FailureNames(services, desks, principal)
    if failures is None:
        failures = await services.jobs.failures(which, limit=READ_AT_ONCE)
    shown = [await names.show(failure) for failure in failures if is_visible(principal, failure.task)]
    return [failure for failure in shown if failure is not None]


def _is_nobodys(failure: JobFailure) -> bool:
    """Whether the work is the installation's, not about somebody's object."""
    return failure.object is None or failure.object.kind == SCHEDULE_KIND


async def _name_source(services: Services, principal: Principal, source_id: str) -> NamedObject:
    viewer = KnowledgeViewer(principal.user_id, everything=principal.via == "console")
    source = (await services.knowledge.get(viewer, source_id)).source
    return NamedObject(source.file_name or source.title, f"/knowledge/{quote(source.id)}", source.owner_id)


async def _name_mail(services: Services, principal: Principal, mail_id: str) -> NamedObject:
    principal.require("mail.read")
    message = await get_visible_mail(services, principal, mail_id)
    return NamedObject(message.line.subject, f"/mail/{quote(mail_id)}")


async def _name_saved_query(services: Services, principal: Principal, saved_id: str) -> NamedObject:
    saved = await services.saved.get(principal, saved_id)
    return NamedObject(saved.name, f"/saved/{quote(saved_id)}", principal.user_id)


async def _name_webhook_delivery(services: Services, principal: Principal, delivery_id: str) -> NamedObject:
    delivery = (await services.webhooks.delivery(principal, delivery_id)).delivery
    return NamedObject(delivery.event, f"/webhooks/deliveries/{quote(delivery_id)}")


_PLATFORM_NAMERS: Mapping[str, ObjectNamer] = {
    "source": _name_source,
    "mail": _name_mail,
    "saved query": _name_saved_query,
    "webhook delivery": _name_webhook_delivery,
}
