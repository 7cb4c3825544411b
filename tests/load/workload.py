"""What people do under load and how often: one table of actions with a weight for each profile."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

import writing
from people import Person

Do = Callable[[Person], Awaitable[object]]
Path = str | Callable[[Person], str]
PROFILES = ("read-mostly", "write-heavy", "public")
BARE = "bare"
PUBLIC = "public"


@dataclass(frozen=True)
class Action:
    """Something a person does, and how often of a hundred times or so by each profile."""

    read_mostly: int
    write_heavy: int
    do: Do


def page(name: str, path: Path) -> Do:
    return lambda person: person.open_page(name, path if isinstance(path, str) else path(person))


def asks(name: str, path: Path) -> Do:
    return lambda person: person.call(name, "GET", path if isinstance(path, str) else path(person))


def a_story(person: Person) -> int:
    return person.some(person.world.stories)


def an_article(person: Person) -> str:
    return person.some(person.world.articles)


def a_word(person: Person) -> str:
    return quote(person.some(person.world.words))


def a_speaker(person: Person) -> str:
    return quote(person.some(person.world.speakers), safe="")


ACTIONS = (
    Action(6, 2, page("home page", "/")),
    Action(2, 1, page("jobs page", "/jobs")),
    Action(4, 2, page("search page", lambda person: f"/search?q={a_word(person)}")),
    Action(4, 1, asks("search", lambda person: f"/search?q={a_word(person)}")),
    Action(2, 1, lambda person: person.first_event("live stream, first event", "/live")),
    Action(1, 2, writing.save_search),
    Action(1, 2, writing.forget_search),
    Action(5, 1, page("news: page", "/news")),
    Action(5, 1, page("news: story page", lambda person: f"/news/stories/{a_story(person)}")),
    Action(4, 1, asks("news: stories", "/news/articles?limit=25")),
    Action(3, 1, asks("news: one story", lambda person: f"/news/articles/{a_story(person)}")),
    Action(2, 2, asks("news: links", "/news/links?limit=25")),
    Action(1, 6, writing.add_link),
    Action(4, 1, page("recap: page", "/recap")),
    Action(5, 1, page("recap: article page", lambda person: f"/recap/articles/{an_article(person)}")),
    Action(3, 1, asks("recap: articles with facets", "/recap/articles?facet=category&facet=person&limit=20")),
    Action(2, 1, asks("recap: speeches with facets", "/recap/speeches?facet=person&facet=group&limit=20")),
    Action(2, 1, asks("recap: one article", lambda person: f"/recap/articles/{an_article(person)}")),
    Action(2, 1, asks("recap: one person", lambda person: f"/recap/people/{a_speaker(person)}")),
    Action(1, 4, writing.report_error),
    Action(0, 3, writing.close_report),
    Action(4, 2, page("newsletter: page", "/newsletter")),
    Action(3, 1, asks("newsletter: list", "/newsletters")),
    Action(3, 2, asks("newsletter: all steps", lambda person: f"/newsletters/{person.some(person.newsletters)}/full")),
    Action(2, 1, page("newsletter: outline page", lambda p: f"/newsletter/{p.some(p.newsletters)}/outline")),
    Action(0, 5, writing.begin_newsletter),
    Action(1, 5, writing.edit_newsletter),
    Action(0, 4, writing.choose_topics),
    Action(1, 4, writing.write_outline),
    Action(0, 1, writing.retrieve),
    Action(0, 4, writing.delete_newsletter),
    Action(4, 1, page("reminders: queue page", "/reminders")),
    Action(3, 1, asks("reminders: customers", "/reminders/customers?limit=25")),
    Action(2, 1, asks("reminders: drafts", "/reminders/drafts?limit=25")),
    Action(1, 1, page("reminders: invoices page", "/reminders/invoices")),
    Action(1, 4, writing.add_customer),
    Action(1, 5, writing.add_invoice),
    Action(1, 4, writing.draft_reminder),
    Action(0, 3, writing.approve_draft),
    Action(0, 3, writing.record_payment),
    Action(5, 2, page("habits: today's page", "/habits")),
    Action(4, 1, asks("habits: dashboard", "/habits/dashboard")),
    Action(3, 1, asks("habits: leaderboard", "/habits/leaderboard")),
    Action(2, 1, asks("habits: why a streak", lambda person: f"/habits/{person.some(person.habits)}/explain")),
    Action(0, 1, writing.begin_habit),
    Action(3, 8, writing.complete_habit),
    Action(0, 3, writing.undo_habit),
    Action(0, 3, writing.write_note),
)


# What readers without an account open; how often of a hundred times.
PUBLIC_PAGES = (
    (60, page("public: article page", lambda person: f"/public/ja/recap/articles/{quote(an_article(person))}")),
    (20, page("public: list", "/public/ja/recap")),
    (20, page("public: person page", lambda person: f"/public/ja/recap/people/{a_speaker(person)}")),
)


def weighted(profile: str) -> tuple[list[Do], list[int]]:
    """The actions of a profile with their weights; the bare one asks only whether the server is alive."""
    if profile == BARE:
        return [page("/healthz", "/healthz")], [1]
    if profile == PUBLIC:
        return [do for _, do in PUBLIC_PAGES], [weight for weight, _ in PUBLIC_PAGES]
    weights = [item.read_mostly if profile == "read-mostly" else item.write_heavy for item in ACTIONS]
    return [item.do for item in ACTIONS], weights
