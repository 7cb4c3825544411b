"""Where the desk's pages are. Pages and templates build their links here."""

from functools import partial
from urllib.parse import quote, urlencode

from almanac.desks.recap.model.filters import ArticleFilter
from almanac.http.desk import desk_path

PREFIX = "/recap"
recap_url = partial(desk_path, "recap")


def article_path(article_id: str) -> str:
    """The path of an article's page."""
    return f"/recap/articles/{article_id}"


def speech_path(article_id: str, order: int) -> str:
    """The path of an article's page, scrolled to a speech."""
    return f"{article_path(article_id)}#speech-{order}"


def articles_url(wanted: ArticleFilter, *extra: tuple[str, str]) -> str:
    """The list of articles with a filter, in the shortest form that can be shared."""
    query = urlencode([*wanted.parameters(), *extra])
    return recap_url("articles") + (f"?{query}" if query else "")


class RecapUrls:
    """Links for templates."""

    def article(self, article_id: str, level: str = "") -> str:
        return recap_url("articles", article_id) + (f"?level={quote(level)}" if level else "")

    def speech(self, article_id: str, order: int) -> str:
        """The permanent address of a speech, whatever part of the minutes it is in."""
        return recap_url("articles", article_id, "speeches", str(order))

    def person(self, name: str, key: str = "", bill: str = "") -> str:
        return recap_url("people", name) + _query(key=key, bill=bill)

    def bill(self, key: str) -> str:
        return recap_url("bills", key)

    def agenda(self, key: str) -> str:
        return recap_url("agenda", key)

    def issue(self, issue_id: str) -> str:
        return recap_url("issues", issue_id)

    def articles(self, **chosen: str) -> str:
        return recap_url("articles") + _query(**chosen)

    def report(self, article_id: str, order: int | None = None) -> str:
        return recap_url("articles", article_id, "report") + (_query(order=str(order)) if order is not None else "")


def _query(**values: str) -> str:
    query = urlencode({name: value for name, value in values.items() if value})
    return f"?{query}" if query else ""
