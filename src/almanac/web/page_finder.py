"""Finds pages besides documents: desks, pages, saved queries, jobs, people and mail that the person may open."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.accounts import service as accounts
from almanac.accounts.model import Principal
from almanac.accounts.service import UserFilter
from almanac.http.desk import Desk, may_give_rights
from almanac.http.jinja import ROLE_NAMES
from almanac.http.pages import TOOLS
from almanac.http.state_labels import label_state
from almanac.http.visibility import hidden_areas
from almanac.jobs import JobFilter
from almanac.kit.catalogs import SOURCE_LANGUAGE
from almanac.kit.messages import gettext, translate
from almanac.mail.model import MessageFilter
from almanac.services import Services

_MAX_LINKS, _MAX_JOBS_READ = 8, 200
PAGES = (
    *((permission, href, words) for permission, href, _, words in TOOLS),
    ("account.own", "/approvals", gettext("Approvals")),
    ("saved.own", "/saved/new", gettext("Save a query")),
    ("jobs.read", "/jobs/schedules", gettext("Schedules")),
    ("mail.read", "/mail/suppressions", gettext("Suppression list")),
    ("users.manage", "/subscribers", gettext("Readers who get mail")),
    ("users.manage", "/people/invite", gettext("Invite somebody")),
    ("users.manage", "/teams", gettext("Teams")),
    ("account.own", "/account", gettext("My account")),
    ("account.own", "/account/password", gettext("Change password")),
    ("account.own", "/account/sessions", gettext("Sessions")),
    ("account.own", "/account/two-step", gettext("Passkeys and two-step sign-in")),
    ("account.own", "/account/email", gettext("Change e-mail address")),
    ("account.own", "/account/notifications", gettext("Notifications")),
    ("tokens.own", "/account/tokens", gettext("API tokens")),
    ("account.own", "/?tour=1", gettext("Take the tour")),
    ("account.own", "/api/docs", gettext("API reference")),
    ("account.own", "/", gettext("Home")),
    ("account.own", "/search", gettext("Search")),
    ("account.own", "/why", gettext("Ask why")),
    ("account.own", "/failures", gettext("Failures")),
    ("account.own", "/help", gettext("Help")),
    ("account.own", "/shortcuts", gettext("Keyboard shortcuts")),
    ("audit.read", "/audit/check", gettext("Check the audit log")),
    ("setup.manage", "/setup/end", gettext("Set-up")),
)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page that can be opened, and its kind."""

    title: str
    href: str
    kind: str
    text: str = ""


async def find_pages(
    services: Services, desks: Sequence[Desk], principal: Principal, words: str, *, language: str = SOURCE_LANGUAGE
) -> list[PageLink]:
    """Every page that matches the words, a few of each kind."""
    links = [link for link in list_static_pages(desks, principal) if _has_words(words.casefold(), link, language)]
    return links + await find_dynamic_pages(services, principal, words)


async def find_dynamic_pages(services: Services, principal: Principal, words: str) -> list[PageLink]:
    """Saved queries, jobs, people and mail that match the words."""
    places: list[PageLink] = []
    if principal.may("saved.read"):
        places += await _find_saved_queries(services, principal, words)
    if principal.may("jobs.read"):
        places += await _find_jobs(services, principal, words)
    if principal.may("users.manage"):
        listed = await accounts.list_users(services.accounts, principal, UserFilter(text=words), limit=_MAX_LINKS)
        places += [
            PageLink(
                user.name,
                f"/people/{user.id}",
                gettext("Person"),
                gettext("%(email)s, %(role)s", email=user.email, role=ROLE_NAMES[user.role]),
            )
            for user in listed.items
        ]
    if principal.may("mail.read"):
        mail = await services.mailbox.list(MessageFilter(text=words, hidden=hidden_areas(principal)), limit=_MAX_LINKS)
        places += [
            PageLink(line.subject, f"/mail/{line.id}", gettext("Mail"), ", ".join(line.recipients))
            for line in mail.items
        ]
    return places


def list_static_pages(desks: Sequence[Desk], principal: Principal) -> list[PageLink]:
    """Every desk and every page without parameters that the person may open."""
    readable = [desk for desk in desks if principal.may(desk.read_permission)]
    page = gettext("Page")
    return [
        *(PageLink(desk.title, desk.path, gettext("Desk"), desk.summary) for desk in readable),
        *(
            PageLink(title, href, page, desk.title)
            for desk in readable
            for href, title in desk.places.items()
            if href != desk.path
        ),
        *(
            PageLink(gettext("Rights at %(title)s", title=desk.title), desk.rights_path, page, desk.title)
            for desk in desks
            if may_give_rights(principal, desk)
        ),
        *(PageLink(title, href, page) for permission, href, title in PAGES if principal.may(permission)),
    ]


def _has_words(text: str, link: PageLink, language: str) -> bool:
    """Whether its name has the words, in English or in the reader's language."""
    return any(
        text in f"{translate(link.title, spoken)} {translate(link.text, spoken)}".casefold()
        for spoken in (SOURCE_LANGUAGE, language)
    )


async def _find_saved_queries(services: Services, principal: Principal, words: str) -> list[PageLink]:
    """The person's own queries, by name or query text."""
    text = words.casefold()
    matching = [
        saved for saved in await services.saved.list(principal) if text in f"{saved.name} {saved.query}".casefold()
    ]
    return [
        PageLink(saved.name, f"/saved/{saved.id}", gettext("Saved query"), saved.query)
        for saved in matching[:_MAX_LINKS]
    ]


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
        PageLink(
            gettext("%(job)s #%(number)s", job=title(job.task), number=job.id),
            f"/jobs/{job.id}",
            gettext("Job"),
            label_state(job.status),
        )
        for job in matching[:_MAX_LINKS]
    ]
