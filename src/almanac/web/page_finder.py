"""Finds pages besides documents: desks, pages, saved queries, jobs, people and mail that the person may open."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.service import UserFilter
from almanac.http.desk import Desk, may_give_rights
from almanac.http.pages import TOOLS
from almanac.http.visibility import hidden_areas
from almanac.jobs import JobFilter
from almanac.mail.model import MessageFilter
from almanac.services import Services

_MAX_LINKS, _MAX_JOBS_READ = 8, 200
PAGES = (
    *((permission, href, words) for permission, href, _, words in TOOLS),
    ("account.own", "/approvals", "Approvals"),
    ("saved.own", "/saved/new", "Save a query"),
    ("jobs.read", "/jobs/schedules", "Schedules"),
    ("mail.read", "/mail/suppressions", "Suppression list"),
    ("users.manage", "/people/invite", "Invite somebody"),
    ("users.manage", "/teams", "Teams"),
    ("account.own", "/account", "My account"),
    ("account.own", "/account/password", "Change password"),
    ("account.own", "/account/sessions", "Sessions"),
    ("account.own", "/account/two-step", "Passkeys and two-step sign-in"),
    ("account.own", "/account/email", "Change e-mail address"),
    ("tokens.own", "/account/tokens", "API tokens"),
    ("account.own", "/?tour=1", "Take the tour"),
    ("account.own", "/api/docs", "API reference"),
)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page that can be opened, and its kind."""

    title: str
    href: str
    kind: str
    text: str = ""


async def find_pages(services: Services, desks: Sequence[Desk], principal: Principal, words: str) -> list[PageLink]:
    """Every page that matches the words, a few of each kind."""
    places = _find_static_pages(desks, principal, words)
    if principal.may("saved.read"):
        places += await _find_saved_queries(services, principal, words)
    if principal.may("jobs.read"):
        places += await _find_jobs(services, principal, words)
    if principal.may("users.manage"):
        listed = await accounts.list_users(services.accounts, principal, UserFilter(text=words), limit=_MAX_LINKS)
        places += [
            PageLink(user.name, f"/people/{user.id}", "Person", f"{user.email}, {user.role}") for user in listed.items
        ]
    if principal.may("mail.read"):
        mail = await services.mailbox.list(MessageFilter(text=words, hidden=hidden_areas(principal)), limit=_MAX_LINKS)
        places += [
            PageLink(line.subject, f"/mail/{line.id}", "Mail", ", ".join(line.recipients)) for line in mail.items
        ]
    return places


def _find_static_pages(desks: Sequence[Desk], principal: Principal, words: str) -> list[PageLink]:
    text = words.casefold()
    places = [
        PageLink(desk.title, desk.path, "Desk", desk.summary)
        for desk in desks
        if principal.may(desk.read_permission) and text in f"{desk.title} {desk.summary}".casefold()
    ]
    places += [
        PageLink(title, href, "Page", desk.title)
        for desk in desks
        for href, title in desk.places.items()
        if principal.may(desk.read_permission) and href != desk.path and text in f"{desk.title} {title}".casefold()
    ]
    places += [
        PageLink(f"Rights at {desk.title}", desk.rights_path, "Page", desk.title)
        for desk in desks
        if may_give_rights(principal, desk) and text in f"rights at {desk.title}".casefold()
    ]
    return places + [
        PageLink(title, href, "Page")
        for permission, href, title in PAGES
        if principal.may(permission) and text in title.casefold()
    ]


async def _find_saved_queries(services: Services, principal: Principal, words: str) -> list[PageLink]:
    """The person's own queries, by name or query text."""
    text = words.casefold()
    matching = [
        saved for saved in await services.saved.list(principal) if text in f"{saved.name} {saved.query}".casefold()
    ]
    return [PageLink(saved.name, f"/saved/{saved.id}", "Saved query", saved.query) for saved in matching[:_MAX_LINKS]]


async def _find_jobs(services: Services, principal: Principal, words: str) -> list[PageLink]:
    """Matches among the latest jobs, by number or part of the task's name."""
    text = words.removeprefix("#").casefold()
    if not text.isdecimal() and not services.jobs.has_job_named(text):
        return []
    title = services.jobs.title_of
    filters = JobFilter(hidden=hidden_areas(principal))
    latest = (await services.jobs.jobs(filters, limit=_MAX_JOBS_READ)).items
    matching = [job for job in latest if text == str(job.id) or text in f"{job.task} {title(job.task)}".casefold()]
    return [
        PageLink(f"{title(job.task)} #{job.id}", f"/jobs/{job.id}", "Job", job.status.value)
        for job in matching[:_MAX_LINKS]
    ]
