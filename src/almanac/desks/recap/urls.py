"""Where the desk's pages are. Pages and templates build their links here."""

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.speech_filters import SpeechFilter
from almanac.http.desk import desk_path, escape_part

PREFIX = "/recap"
recap_url = partial(desk_path, "recap")


def article_path(article_id: str) -> str:
    """The path of an article's page."""
    return f"/recap/articles/{article_id}"


def speech_path(article_id: str, order: int) -> str:
    """The path of an article's page, scrolled to a speech."""
    return f"{article_path(article_id)}#speech-{order}"


@dataclass(frozen=True, slots=True)
class RecapUrls:
    """Links for templates, below the root of the desk's pages or of its share of the public side."""

    root: str = PREFIX

    def home(self) -> str:
        return self.root

    def article(self, article_id: str, level: str = "", version: int | None = None) -> str:
        return self._page("articles", article_id) + _query(level=level, version=str(version or ""))

    def speech(self, article_id: str, order: int, version: int | None = None) -> str:
        """The permanent address of a speech, whatever part of the minutes it is in."""
        return self._page("articles", article_id, "speeches", str(order)) + _query(version=str(version or ""))

    def reader(self, article_id: str) -> str:
        """The source reader of an article; only the workspace has one."""
        return self._page("articles", article_id, "read")

    def people(self) -> str:
        return self._page("people")

    def person(self, name: str, key: str = "", bill: str = "") -> str:
        return self._page("people", name) + _query(key=key, bill=bill)

    def bills(self) -> str:
        return self._page("bills")

    def bill(self, key: str) -> str:
        return self._page("bills", key)

    def agenda(self, key: str) -> str:
        return self._page("agenda", key)

    def issue(self, issue_id: str) -> str:
        return self._page("issues", issue_id)

    def articles(self, **chosen: str) -> str:
        return self._page("articles") + _query(**chosen)

    def alert(self, kind: str, target: str) -> str:
        """Where anybody asks for mail about something; only the public side has it."""
        return self._page("alerts", "new") + _query(kind=kind, target=target)

    def matching(self, wanted: ArticleFilter, *extra: tuple[str, str]) -> str:
        """The list of articles with a filter, in the shortest form that can be shared."""
        query = urlencode([*wanted.parameters(), *extra])
        return self._page("articles") + (f"?{query}" if query else "")

    def corrections(self) -> str:
        """The corrections of all articles."""
        return self._page("corrections")

    def article_corrections(self, article_id: str) -> str:
        return self._page("articles", article_id, "corrections")

    def speeches(self, wanted: SpeechFilter | None = None, *extra: tuple[str, str], **chosen: str) -> str:
        """The list of speeches with a filter, or with the values of some parameters."""
        query = urlencode([*(wanted.parameters() if wanted else ()), *extra, *chosen.items()])
        return self._page("speeches") + (f"?{query}" if query else "")

    def report(self, article_id: str, order: int | None = None) -> str:
        return self._page("articles", article_id, "report") + (_query(order=str(order)) if order is not None else "")

    def method(self) -> str:
        """How articles are made; only the public side has this page."""
        return self._page("method")

    def data(self) -> str:
        """Files for programs; only the public side has this page."""
        return self._page("data")

    def _page(self, *parts: str) -> str:
        return "/".join((self.root, *map(escape_part, parts)))


WORKSPACE = RecapUrls()


def _query(**values: str) -> str:
    query = "&".join([f"{name}={escape_part(value)}" for name, value in values.items() if value])
    return f"?{query}" if query else ""
