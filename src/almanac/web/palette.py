"""The command palette: actions, pages, help and things that match what is typed, in groups, as far as the person may.

A source turns a question into groups; whoever adds a source adds it to `SOURCES`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from urllib.parse import quote

from almanac.accounts.model import Principal
from almanac.errors import InputError
from almanac.help.finder import HelpFinder
from almanac.help.library import HelpLibrary, find_docs_folder
from almanac.http.actions import Action
from almanac.http.desk import Desk
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.messages import gettext, translate
from almanac.language.terms import fold_word
from almanac.search import SearchHit, SearchIndex, SearchQuery, SearchViewer
from almanac.search.corrections import allowed_edits, distance_of_beginning
from almanac.services import Services
from almanac.web.explainers import list_sources
from almanac.web.page_finder import PageLink, find_dynamic_pages, list_static_pages
from almanac.web.why_answer import explain_all
from almanac.why import WhyQuestion, WhyReader, find_subjects, parse_question

_MOST_ACTIONS, _MOST_PAGES, _MOST_THINGS, _MOST_HELP, _MOST_ANSWERS = 5, 6, 8, 3, 3
_SHORTEST_THING = 2
_EXACT, _BEGINS, _WORD_BEGINS, _CONTAINS, _NEAR = 16, 8, 4, 2, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteItem:
    """Something to choose: a link, or with `posts` a form that is sent. With `explains` its text is an answer."""

    title: str
    href: str
    text: str = ""
    posts: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    explains: bool = False


@dataclass(frozen=True, slots=True)
class PaletteGroup:
    """Items of one sort under their heading."""

    title: str
    items: Sequence[PaletteItem]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteQuestion:
    """What was typed, by whom, and in which languages they read; `path` is the page that they are on.

    `is_asked` says that the words began with “why”, which they no longer have. `hits` are the documents that match.
    """

    words: str
    principal: Principal
    services: Services
    desks: Sequence[Desk]
    language: str = "en"
    reading: tuple[str, ...] = ()
    titles_in: tuple[str, ...] = ()
    path: str = "/"
    is_asked: bool = False
    hits: Sequence[SearchHit] = ()


PaletteSource = Callable[[PaletteQuestion], Awaitable[Sequence[PaletteGroup]]]

PLATFORM_ACTIONS = (
    Action(title=gettext("Save a query"), href="/saved/new", permission="saved.own", words="follow feed alert"),
    Action(title=gettext("Add knowledge"), href="/knowledge/add", permission="desk.newsletter.write", words="upload"),
    Action(title=gettext("Invite somebody"), href="/people/invite", permission="users.manage", words="add person user"),
    Action(title=gettext("Check the audit log"), href="/audit/check", permission="audit.read", words="verify"),
    Action(title=gettext("Change my password"), href="/account/password", permission="account.own"),
    Action(title=gettext("Change my e-mail address"), href="/account/email", permission="account.own"),
    Action(title=gettext("Make an API token"), href="/account/tokens", permission="tokens.own", words="create key"),
    Action(
        title=gettext("Change settings"),
        href="/organisation",
        permission="setup.manage",
        words="organisation organization preferences options configuration",
    ),
    *(
        Action(
            title=gettext("Show pages in %(language)s", language=name),
            href="/language",
            permission="account.own",
            words="language sprache 言語 语言 語言 bahasa",
            posts=True,
            values={"language": code},
        )
        for code, name in LANGUAGE_NAMES.items()
    ),
    Action(title=gettext("Take the tour"), href="/?tour=1", permission="account.own"),
    Action(
        title=gettext("Switch to dark"),
        href="/account/theme",
        permission="account.own",
        words="theme night",
        posts=True,
        values={"theme": "dark"},
    ),
    Action(
        title=gettext("Switch to light"),
        href="/account/theme",
        permission="account.own",
        words="theme day",
        posts=True,
        values={"theme": "light"},
    ),
    Action(
        title=gettext("Use the device's theme"),
        href="/account/theme",
        permission="account.own",
        words="system",
        posts=True,
        values={"theme": "system"},
    ),
)
SIGN_OUT = Action(
    title=gettext("Sign out"), href="/sign-out", permission="account.own", words="log out leave", posts=True
)


async def answer_palette(question: PaletteQuestion) -> list[PaletteGroup]:
    """Every source's groups, in the order of the sources, without empty ones. Who asks why gets answers first."""
    asked = parse_question(question.words)
    if asked.is_asked and asked.words:
        question, sources = replace(question, words=asked.words, is_asked=True), ASKED_SOURCES
    else:
        sources = SOURCES
    question = replace(question, hits=await _search(question))
    answers = await asyncio.gather(*(source(question) for source in sources))
    return [group for groups in answers for group in groups if group.items]


async def _search(question: PaletteQuestion) -> Sequence[SearchHit]:
    """The documents for what is typed, read once for all sources."""
    if len(question.words) < _SHORTEST_THING:
        return ()
    index = question.services.search
    try:
        results = await index.find(
            parse_typed(index, question.words),
            viewer=SearchViewer.for_principal(question.principal),
            limit=_MOST_THINGS,
            forgiving=True,
            languages=question.reading,
        )
    except InputError:
        return ()
    return results.hits


async def _find_actions(question: PaletteQuestion) -> list[PaletteGroup]:
    actions = [(action, f"{action.words} {desk.title}") for desk in question.desks for action in desk.actions]
    actions += [(action, action.words) for action in PLATFORM_ACTIONS]
    if not question.services.settings.single_user:
        actions.append((SIGN_OUT, SIGN_OUT.words))
    allowed = [(action, words) for action, words in actions if question.principal.may(action.permission)]
    scored = [(_score(question, action.title, words), action) for action, words in allowed]
    best = [action for _, action in sorted((s for s in scored if s[0]), key=lambda s: -s[0])]
    items = [
        PaletteItem(
            title=action.title,
            href=action.href,
            posts=action.posts,
            values={**action.values, "next": question.path} if action.posts else {},
        )
        for action in best[:_MOST_ACTIONS]
    ]
    return [PaletteGroup(gettext("Actions"), items)]


async def _find_pages(question: PaletteQuestion) -> list[PaletteGroup]:
    links = list_static_pages(question.desks, question.principal)
    scored = [(_score(question, link.title, link.text if link.kind == "Page" else ""), link) for link in links]
    best = [link for _, link in sorted((s for s in scored if s[0]), key=lambda s: -s[0])]
    return [PaletteGroup(gettext("Pages"), [_link_item(link) for link in best[:_MOST_PAGES]])]


async def _find_names(question: PaletteQuestion) -> list[PaletteGroup]:
    """Pages of desks by names that aren't titles of documents, such as those of people."""
    if len(question.words) < _SHORTEST_THING:
        return []
    groups: list[PaletteGroup] = []
    for desk in question.desks:
        if desk.names is not None and question.principal.may(desk.read_permission):
            named = await desk.names(question.services, question.words)
            items = [PaletteItem(title=each.title, href=each.href) for each in named[:_MOST_PAGES]]
            groups.append(PaletteGroup(desk.title, items))
    return groups


async def _find_things(question: PaletteQuestion) -> list[PaletteGroup]:
    """Documents by what is typed of their titles, then saved queries, jobs, people and mail."""
    if len(question.words) < _SHORTEST_THING:
        return []
    index = question.services.search
    groups: dict[str, list[PaletteItem]] = {}
    for hit in await _well_matching(question, question.hits):
        kind = index.kinds.get(hit.kind)
        item = PaletteItem(title=hit.title or hit.path, href=hit.path)
        groups.setdefault(kind.plural if kind else hit.kind, []).append(item)
    links = await find_dynamic_pages(question.services, question.principal, question.words)
    documents = [PaletteGroup(title, items) for title, items in groups.items()]
    return [*documents, PaletteGroup(gettext("Elsewhere"), [_link_item(link) for link in links[:_MOST_PAGES]])]


async def _well_matching(question: PaletteQuestion, hits: Sequence[SearchHit]) -> list[SearchHit]:
    """Those whose titles fit what is typed; where neither they nor an action nor a page does, all of them."""
    hits = [hit.titled_in(question.titles_in) for hit in hits]
    typed = question.words.casefold()
    fitting = [hit for hit in hits if score_title(typed, hit.title.casefold(), "") or _has_marked_run(hit, typed)]
    if fitting or not hits:
        return fitting
    places = [*await _find_actions(question), *await _find_pages(question)]
    return [] if any(group.items for group in places) else hits


def _has_marked_run(hit: SearchHit, typed: str) -> bool:
    """Whether characters of the title match that needn't be written as they were typed."""
    return not typed.isascii() and any(span.marked for span in hit.marked_title)


async def _find_help(question: PaletteQuestion) -> list[PaletteGroup]:
    if len(question.words) < _SHORTEST_THING:
        return []
    hits = await asyncio.to_thread(help_finder().find, question.words, _MOST_HELP)
    items = [PaletteItem(title=hit.title, href=hit.href, text=hit.heading) for hit in hits]
    return [PaletteGroup(gettext("Help"), items)]


async def _find_answers(question: PaletteQuestion) -> list[PaletteGroup]:
    """Why a thing is as it is, in one sentence: the best match while somebody types, a few where they ask."""
    if len(question.words) < _SHORTEST_THING:
        return []
    reader, sources = WhyReader(question.services, question.principal), list_sources(question.desks)
    asked = WhyQuestion(words=question.words, is_asked=question.is_asked, hits=question.hits)
    subjects = await find_subjects(reader, sources, asked)
    traces = await explain_all(reader, sources, subjects[: _MOST_ANSWERS if question.is_asked else 1])
    items = [
        PaletteItem(
            title=gettext("Why: %(title)s", title=trace.subject.title),
            href=f"/why?about={quote(trace.subject.about, safe='')}",
            text=trace.summary,
            explains=True,
        )
        for trace in traces
    ]
    return [PaletteGroup(gettext("Why"), items)]


SOURCES: list[PaletteSource] = [_find_actions, _find_pages, _find_names, _find_things, _find_answers, _find_help]
ASKED_SOURCES: list[PaletteSource] = [_find_answers, _find_things]


@cache
def help_library() -> HelpLibrary:
    """The documentation that was shipped with the program."""
    return HelpLibrary(find_docs_folder())


@cache
def help_finder() -> HelpFinder:
    return HelpFinder(help_library())


def parse_typed(index: SearchIndex, words: str) -> SearchQuery:
    """The query of somebody who is still typing: the last word may go on. InputError if it can't be read either way."""
    if words[-1:].isalnum():
        try:
            return index.parse(f"{words}*")
        except InputError:
            pass
    return index.parse(words)


def _link_item(link: PageLink) -> PaletteItem:
    return PaletteItem(title=link.title, href=link.href, text=link.text if link.kind != "Desk" else "")


def _score(question: PaletteQuestion, title: str, words: str) -> int:
    """How well a title fits what is typed, in English or in the reader's language; 0 if it doesn't."""
    if not question.words:
        return 1
    titles = {title.casefold(), translate(title, question.language).casefold()}
    return max(score_title(question.words.casefold(), text, words) for text in titles)


def score_title(typed: str, title: str, words: str) -> int:
    """Each typed word must begin a word of the title or be near to one; a title that begins so is best."""
    if title.startswith(typed):
        return _EXACT + _BEGINS
    vocabulary = [fold_word(word) for word in f"{title} {words}".casefold().split()]
    scores = [_score_word(fold_word(word), vocabulary, title) for word in typed.split()]
    return sum(scores) if all(scores) else 0


def _score_word(word: str, vocabulary: Sequence[str], title: str) -> int:
    if any(other.startswith(word) for other in vocabulary):
        return _WORD_BEGINS
    if not word.isascii() and word in title:
        return _CONTAINS
    edits = allowed_edits(word)
    return _NEAR if edits and any(distance_of_beginning(word, other, edits) <= edits for other in vocabulary) else 0
