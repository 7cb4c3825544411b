"""Why a job failed, why a mail didn't arrive, and why a person may or may not do something: the platform's traces."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from almanac.accounts import service as accounts
from almanac.accounts.permissions import ACTIONS
from almanac.accounts.service import UserFilter
from almanac.accounts.service.rights import MANAGE, DeskAccess, PersonAccess, get_access
from almanac.errors import InputError, NotFound
from almanac.http.desk import Desk
from almanac.http.failures import FailureNames
from almanac.http.jinja import ROLE_NAMES
from almanac.http.visibility import get_visible_job, hidden_areas
from almanac.jobs import JobDetail, JobStatus
from almanac.kit.messages import gettext, join_texts
from almanac.mail.message import address_key
from almanac.mail.model import MessageDetail, MessageFilter, MessageSummary, Suppression
from almanac.web.labels import JOB_TONES, job_timeline, label_mail_status, mail_timeline
from almanac.web.rights_forms import ACTION_WORDS
from almanac.why import (
    UNKNOWN_SUBJECT,
    TraceAction,
    TraceStep,
    WhyQuestion,
    WhyReader,
    WhySource,
    WhySubject,
    WhyTone,
    WhyTrace,
)
from almanac.why.finder import has_name
from almanac.why.sentences import future_day, named_day

JOB, ADDRESS, PERSON = "job", "mail", "person"
_NUMBER = re.compile(r"(?:job\s*)?#(\d{1,18})|job\s+(\d{1,18})", re.IGNORECASE)
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
_MOST_MAILS, _MOST_PEOPLE = 5, 4
_BAD_MAIL = frozenset({"bounced", "complained", "failed", "refused", "unknown", "kept"})


def list_sources(desks: Sequence[Desk]) -> list[WhySource]:
    """What the desks that are switched on explain, and the platform."""
    return [*(desk.why for desk in desks if desk.why is not None), _job_source(desks), MAIL_WHY, _person_source(desks)]


def _job_source(desks: Sequence[Desk]) -> WhySource:
    return WhySource(
        permission="jobs.read",
        traces={JOB: JobExplainer(desks).explain},
        find=find_job,
        examples=((gettext("A job such as #12"), gettext("Why did it fail?")),),
    )


async def find_job(_reader: WhyReader, question: WhyQuestion) -> Sequence[WhySubject]:
    """A job by its number, written as #12 or job 12."""
    match = _NUMBER.fullmatch(question.words)
    if match is None:
        return ()
    number = match[1] or match[2]
    return (WhySubject(kind=JOB, id=number, title=f"#{number}", label=gettext("Job"), is_exact=True),)


@dataclass(frozen=True, slots=True)
class JobExplainer:
    """Explains jobs; what a job worked on is named only for those who may see it."""

    desks: Sequence[Desk]

    async def explain(self, reader: WhyReader, job_id: str) -> WhyTrace:
        """Each attempt with its end and reason, the oldest first."""
        if not job_id.isdecimal() or int(job_id) >= 2**63:
            raise NotFound(UNKNOWN_SUBJECT)
        names = FailureNames(reader.services, self.desks, reader.principal)
        detail = await names.redact_detail(await get_visible_job(reader.services, reader.principal, int(job_id)))
        job, title = detail.job, reader.services.jobs.title_of(detail.job.task)
        return WhyTrace(
            subject=WhySubject(
                kind=JOB,
                id=job_id,
                title=gettext("%(job)s #%(number)s", job=title, number=job.id),
                label=gettext("Job"),
            ),
            state=_job_state(detail),
            tone=_as_tone(JOB_TONES[job.status]),
            href=f"/jobs/{job.id}",
            steps=[
                TraceStep(sentence=item.title, tone=_as_tone(item.tone), at=item.when, quote=item.text)
                for item in reversed(job_timeline(detail))
            ],
            next_step=gettext("Next attempt %(day)s.", day=future_day(reader, job.not_before))
            if job.not_before and job.status is JobStatus.QUEUED
            else "",
            actions=_job_actions(reader, detail),
        )


def _job_state(detail: JobDetail) -> str:
    job = detail.job
    reason = job.reason or gettext("no reason was recorded.")
    match job.status:
        case JobStatus.FAILED:
            return gettext("It failed: %(reason)s", reason=reason)
        case JobStatus.SUCCEEDED:
            return gettext("It succeeded.")
        case JobStatus.CANCELLED:
            return gettext("A person cancelled it.")
        case JobStatus.RUNNING:
            return gettext("It is running.")
    return gettext("It waits to run again: %(reason)s", reason=reason) if job.reason else gettext("It waits to run.")


def _job_actions(reader: WhyReader, detail: JobDetail) -> Sequence[TraceAction]:
    href = f"/jobs/{detail.job.id}"
    opened = TraceAction(label=gettext("Open job"), href=href)
    if detail.job.status is JobStatus.FAILED and reader.may("jobs.retry"):
        return (TraceAction(label=gettext("Retry"), href=f"{href}/retry", posts=True), opened)
    return (opened,)


def _as_tone(tone: str) -> WhyTone:
    tones: dict[str, WhyTone] = {"done": "done", "waiting": "waiting", "running": "running", "failed": "failed"}
    return tones.get(tone, "plain")


async def find_mail_address(_reader: WhyReader, question: WhyQuestion) -> Sequence[WhySubject]:
    """A whole e-mail address."""
    if not _EMAIL.fullmatch(question.words):
        return ()
    return (WhySubject(kind=ADDRESS, id=question.words, title=question.words, label=gettext("Mail address")),)


async def explain_mail_address(reader: WhyReader, email: str) -> WhyTrace:
    """Whether an address is suppressed, and what became of the last mails to it."""
    services = reader.services
    try:
        key = address_key(email)
    except InputError as error:
        raise NotFound(error.sentence) from error
    wanted = MessageFilter(text=key, hidden=hidden_areas(reader.principal))
    mails = [mail for mail in (await services.mailbox.list(wanted)).items if key in mail.recipients][:_MOST_MAILS]
    latest = await services.mailbox.get(mails[0].id) if mails else None
    suppressed = [entry for entry in (await services.suppressions.list(text=key)).items if entry.email == key]
    return WhyTrace(
        subject=WhySubject(kind=ADDRESS, id=key, title=key, label=gettext("Mail address")),
        state=_mail_state(reader, key, latest, suppressed),
        tone="waiting" if suppressed or _is_bad(key, latest) else "done" if latest else "plain",
        href=f"/mail?q={key}",
        steps=[
            *(_mail_step(mail) for mail in reversed(mails[1:])),
            *(_latest_steps(latest) if latest else ()),
            *(_suppression_step(entry) for entry in suppressed),
        ],
        actions=_mail_actions(reader, key, latest, suppressed),
    )


def _recipient_state(key: str, latest: MessageDetail) -> str:
    """What became of a message for one recipient; `kept` where it never left this machine."""
    state = next((recipient.state for recipient in latest.recipients if recipient.email == key), latest.line.status)
    return latest.line.outcome if state in ("sent", latest.line.status) else state


def _is_bad(key: str, latest: MessageDetail | None) -> bool:
    return latest is not None and _recipient_state(key, latest) in _BAD_MAIL


def _mail_state(reader: WhyReader, key: str, latest: MessageDetail | None, suppressed: Sequence[Suppression]) -> str:
    today = reader.day_of(reader.now)
    if suppressed:
        day = named_day(reader.day_of(suppressed[0].added_at), today)
        if suppressed[0].topic:
            topic = suppressed[0].topic
            return gettext(
                "Gets no bulk mail of %(topic)s since %(day)s. %(reason)s",
                topic=topic,
                day=day,
                reason=suppressed[0].reason,
            )
        return gettext("Gets no mail since %(day)s. %(reason)s", day=day, reason=suppressed[0].reason)
    if latest is None:
        return gettext("No mail was ever written to this address.")
    day = named_day(reader.day_of(latest.line.finished_at or latest.line.queued_at), today)
    return _describe_outcome(_recipient_state(key, latest), day, latest.line.reason)


def _describe_outcome(outcome: str, day: str, reason: str | None) -> str:
    sentences = {
        "kept": gettext("The last mail was kept here on %(day)s: mail isn't set up.", day=day),
        "bounced": gettext("The last mail bounced on %(day)s.", day=day),
        "complained": gettext("The last mail was marked as spam on %(day)s.", day=day),
        "delivered": gettext("The last mail was delivered on %(day)s.", day=day),
        "sent": gettext("The last mail was sent on %(day)s; nothing came back.", day=day),
        "queued": gettext("The last mail waits to be sent."),
        "sending": gettext("The last mail is being sent."),
        "unknown": gettext("Nobody knows whether the last mail of %(day)s was sent.", day=day),
    }
    why = reason or gettext("no reason was recorded.")
    return sentences.get(outcome) or gettext("The last mail was not sent on %(day)s: %(reason)s", day=day, reason=why)


def _mail_step(mail: MessageSummary) -> TraceStep:
    tone: WhyTone = "waiting" if mail.outcome in _BAD_MAIL else "done"
    status = label_mail_status(mail.outcome)
    return TraceStep(sentence=status, tone=tone, at=mail.queued_at, href=f"/mail/{mail.id}", quote=mail.subject)


def _latest_steps(latest: MessageDetail) -> Sequence[TraceStep]:
    line = latest.line
    queued = TraceStep(
        sentence=gettext("Queued"), tone="done", at=line.queued_at, href=f"/mail/{line.id}", quote=line.subject
    )
    events = reversed(mail_timeline(latest.events, line.outcome))
    return [
        queued,
        *(TraceStep(sentence=item.title, tone=_as_tone(item.tone), at=item.when, quote=item.text) for item in events),
    ]


def _suppression_step(entry: Suppression) -> TraceStep:
    sentence = gettext("Put on the suppression list.")
    return TraceStep(
        sentence=sentence, tone="waiting", at=entry.added_at, href="/mail/suppressions", quote=entry.reason
    )


def _mail_actions(
    reader: WhyReader, key: str, latest: MessageDetail | None, suppressed: Sequence[Suppression]
) -> Sequence[TraceAction]:
    actions = []
    if suppressed and reader.may("mail.settle"):
        actions.append(TraceAction(label=gettext("Allow mail again"), href=f"/mail/suppressions?q={key}"))
    if latest is not None:
        if latest.line.status == "failed" and not suppressed and reader.may("mail.settle"):
            href = f"/mail/{latest.line.id}/retry"
            actions.append(TraceAction(label=gettext("Send again"), href=href, posts=True))
        actions.append(TraceAction(label=gettext("Open mail"), href=f"/mail/{latest.line.id}"))
    return actions


MAIL_WHY = WhySource(
    permission="mail.read",
    traces={ADDRESS: explain_mail_address},
    find=find_mail_address,
    examples=((gettext("A mail address"), gettext("Why did the mail not arrive?")),),
)


def _person_source(desks: Sequence[Desk]) -> WhySource:
    return WhySource(
        permission="account.own",
        traces={PERSON: PersonExplainer(desks).explain},
        find=find_people,
        examples=((gettext("A person"), gettext("Why can't they approve?")),),
    )


async def find_people(reader: WhyReader, question: WhyQuestion) -> Sequence[WhySubject]:
    """People by name or address for whoever manages people; oneself for everybody else."""
    principal = reader.principal
    if not question.is_asked:
        return ()
    if principal.may(MANAGE):
        page = await accounts.list_users(
            reader.services.accounts, principal, UserFilter(text=question.words), limit=_MOST_PEOPLE
        )
        people = [(user.id, user.name) for user in page.items]
    else:
        is_own = has_name(f"{principal.name} {principal.email}", question.words)
        people = [(principal.user_id, principal.name)] if is_own and principal.has_account else []
    return [WhySubject(kind=PERSON, id=user_id, title=name, label=gettext("Person")) for user_id, name in people]


@dataclass(frozen=True, slots=True)
class PersonExplainer:
    """Explains what a person may do at each desk, and where each right comes from."""

    desks: Sequence[Desk]

    async def explain(self, reader: WhyReader, user_id: str) -> WhyTrace:
        """One's own rights, or anybody's for those who manage people."""
        access = await get_access(reader.services.accounts, reader.principal, user_id)
        user, manages = access.user, reader.may(MANAGE)
        titles = {desk.name: desk.title for desk in self.desks}
        path = f"/people/{user.id}" if manages else "/account"
        return WhyTrace(
            subject=WhySubject(kind=PERSON, id=user.id, title=user.name, label=gettext("Person")),
            state=_person_state(access),
            tone="done" if user.active else "waiting",
            href=path,
            steps=[_desk_step(each, titles[each.desk]) for each in access.desks if each.desk in titles],
            actions=(TraceAction(label=gettext("Change rights"), href=path),) if manages else (),
        )


def _person_state(access: PersonAccess) -> str:
    user = access.user
    if not user.active:
        return gettext("%(name)s may do nothing: the account is deactivated.", name=user.name)
    role = ROLE_NAMES[user.role]
    if access.teams:
        teams = join_texts([team.name for team in access.teams])
        return gettext(
            "%(name)s has the role %(role)s and belongs to %(teams)s.", name=user.name, role=role, teams=teams
        )
    return gettext("%(name)s has the role %(role)s and belongs to no team.", name=user.name, role=role)


def _desk_step(access: DeskAccess, title: str) -> TraceStep:
    may = [ACTION_WORDS[action] for action in ACTIONS if access.may(action)]
    lacks = [ACTION_WORDS[action] for action in ACTIONS if not access.may(action)]
    if not may:
        sentence = gettext("%(desk)s: may do nothing there.", desk=title)
    elif lacks:
        sentence = gettext(
            "%(desk)s: may %(rights)s, not %(missing)s. %(sources)s",
            desk=title,
            rights=join_texts(may),
            missing=join_texts(lacks),
            sources=_sources(access),
        )
    else:
        sentence = gettext("%(desk)s: may do everything. %(sources)s", desk=title, sources=_sources(access))
    return TraceStep(sentence=sentence, tone="done" if may else "waiting")


def _sources(access: DeskAccess) -> str:
    names = list(dict.fromkeys(name for action in ACTIONS for name in access.sources[action]))
    words = {"role": gettext("the role"), "own": gettext("rights of their own")}
    return gettext("By %(sources)s.", sources=join_texts([words.get(name, name) for name in names]))
