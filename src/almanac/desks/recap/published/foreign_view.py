"""An article of another program as its template shows it, in the workspace and on the public side alike."""

from collections.abc import Mapping

from markupsafe import Markup

from almanac.desks.recap.model.foreign import ForeignText
from almanac.desks.recap.model.views import ForeignArticle
from almanac.desks.recap.published.article_view import LEVELS, TONES
from almanac.desks.recap.published.labels import REACTIONS
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import NotFound
from almanac.kit.markdown import render_markdown
from almanac.kit.messages import gettext, pgettext

_PER_PART = 100
# Words for the same that the other program uses.
_ALIASES = {"回答": "答弁", "中立": "意見"}


def safe_markdown(text: str) -> Markup:
    """Markdown as HTML for a template; nothing in it runs, and no picture is loaded."""
    return Markup(render_markdown(text))  # noqa: S704 - the renderer escapes every word and checks every link


class ForeignLinks:
    """Where a reference to a speech leads: down the page where it is, else to its permanent address."""

    def __init__(self, article: ForeignArticle, shown: frozenset[int], to: RecapUrls) -> None:
        self._to, self._id, self._shown = to, article.card.id, shown
        self._speakers = {dialog.order: dialog.speaker for dialog in article.texts.dialogs}

    def __call__(self, order: int) -> str:
        return f"#speech-{order}" if order in self._shown else self._to.speech(self._id, order)

    def __contains__(self, order: int) -> bool:
        return order in self._speakers

    def speaker(self, order: int) -> str:
        return self._speakers.get(order, "")


def build_foreign_values(article: ForeignArticle, *, level: str, part: int, to: RecapUrls) -> dict[str, object]:
    """The article at a level, with one part of its speeches."""
    texts, dialogs = article.texts, article.texts.dialogs
    levels = {name: sections for name, sections in _level_texts(article).items() if sections}
    chosen = level if level in levels else next(iter(levels), "")
    parts = max(1, -(-len(dialogs) // _PER_PART))
    part = min(part, parts)
    shown = dialogs[(part - 1) * _PER_PART : part * _PER_PART]
    here = to.article(article.card.id)
    return {
        "foreign": article,
        "card": article.card,
        "texts": texts,
        "level": chosen,
        "level_links": {name: to.article(article.card.id, name) for name in levels},
        "level_sections": levels.get(chosen, ()),
        "dialogs": shown,
        "link": ForeignLinks(article, frozenset(dialog.order for dialog in shown), to),
        "reaction_words": {**REACTIONS, **{name: REACTIONS[alias] for name, alias in _ALIASES.items()}},
        "tones": {**TONES, "回答": TONES["答弁"]},
        "part_links": [
            (number, f"{here}?part={number}#minutes", number == part) for number in range(1, parts + 1) if parts > 1
        ],
        "markdown": safe_markdown,
    }


def locate_foreign_speech(article: ForeignArticle, order: int, to: RecapUrls) -> str:
    """Where a speech is on the page. NotFound if the other program wrote about none with that number."""
    orders = [dialog.order for dialog in article.texts.dialogs]
    if order not in orders:
        raise NotFound(gettext("This meeting has no speech with that number; open the meeting and search its minutes."))
    part = orders.index(order) // _PER_PART + 1
    return f"{to.article(article.card.id)}{f'?part={part}' if part > 1 else ''}#speech-{order}"


def _level_texts(article: ForeignArticle) -> Mapping[str, list[tuple[str, list[ForeignText]]]]:
    """The headed texts of each level."""
    texts = article.texts
    detailed = [(pgettext("parliament", "Summary"), list(texts.summary)), ("", list(texts.detailed))]
    by_level = {"points": [("", list(texts.points))], "plain": [("", list(texts.plain))], "detailed": detailed}
    return {name: [(title, items) for title, items in by_level[name] if items] for name in LEVELS}
