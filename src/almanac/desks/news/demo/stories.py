"""The invented stories as articles: each outlet's words, and the points that rest on them in three languages."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from almanac.articles.similarity import lsh_bands, minhash_signature
from almanac.desks.news.model.articles import LANGUAGES, NOT_TRANSLATED, ORIGINAL, TRANSLATED, Bullet
from almanac.desks.news.model.canonical_urls import canonical_url_and_domain, url_hash
from almanac.desks.news.store.articles import NewArticle
from almanac.desks.news.store.links import NewLink
from almanac.kit.json_text import to_builtins

WRITER = "demo"
OUTLETS = {
    "selatpost": ("The Selat Post", "selatpost.example"),
    "mekongwire": ("Mekong Wire", "mekongwire.example"),
    "archipelagoledger": ("Archipelago Ledger", "archipelagoledger.example"),
    "kualagrid": ("Kuala Grid", "kualagrid.example"),
    "nanyangenergy": ("南洋能源", "nanyangenergy.example"),
    "suarasuria": ("Suara Suria", "suarasuria.example"),
}


class DemoStory(msgspec.Struct, frozen=True, kw_only=True):
    """A story as the file tells it; headlines and points are in the order of LANGUAGES, an empty one is missing."""

    key: str
    ago: int
    country: str
    tags: list[str]
    language: str
    outlets: list[str]
    headlines: list[str]
    points: list[list[str]]
    more: str

    @property
    def own(self) -> int:
        """The place of its own language."""
        return LANGUAGES.index(self.language)


@dataclass(frozen=True, slots=True)
class DemoArticle:
    """A story as one outlet tells it."""

    story: DemoStory
    outlet: str
    link: NewLink


@cache
def stories() -> tuple[DemoStory, ...]:
    """Every story, the oldest first."""
    read = tomllib.loads((files(__package__) / "stories.toml").read_text("utf-8"))
    return tuple(sorted(msgspec.convert(read["story"], list[DemoStory]), key=lambda story: -story.ago))


def told_by(story: DemoStory, outlet: str, today: date) -> DemoArticle:
    """The story's link at an outlet."""
    url = f"https://{OUTLETS[outlet][1]}/news/{story.key}"
    canonical, domain = canonical_url_and_domain(url)
    link = NewLink(
        url=url,
        canonical_url=canonical,
        url_hash=url_hash(canonical),
        raw_hash=url_hash(url),
        domain=domain,
        title=story.headlines[story.own],
        published=today - timedelta(days=story.ago),
    )
    return DemoArticle(story, outlet, link)


def article_of(demo: DemoArticle, link_id: int, cluster: int) -> NewArticle:
    """What is stored of it: the article, its headlines and its points."""
    story, text = demo.story, _text(demo)
    bullets = _bullets(story, text)
    lines = {name: [bullet.texts[name] for bullet in bullets if name in bullet.texts] for name in LANGUAGES}
    signed = minhash_signature(text)
    return NewArticle(
        link_id=link_id,
        title=story.headlines[story.own],
        titles={name: words for name, words in zip(LANGUAGES, story.headlines, strict=True) if words},
        content="\n".join(f"- {line}" for line in lines[story.language]),
        bullets=lines,
        tags=story.tags,
        country=story.country,
        news_date=demo.link.published,
        metadata=_metadata(demo, bullets, text),
        article=text,
        language=story.language,
        text_hash=url_hash(text),
        cluster=cluster,
        signature=signed,
        bands=lsh_bands(signed) if signed else None,
    )


def _text(demo: DemoArticle) -> str:
    """The outlet's words: the sentences that points rest on, what else is to be said, and who says it."""
    sentences = [point[demo.story.own] for point in demo.story.points]
    return "\n\n".join([sentences[0], *sentences[1:], demo.story.more, f"© {OUTLETS[demo.outlet][0]}"])


def _bullets(story: DemoStory, text: str) -> list[Bullet]:
    made = []
    for point in story.points:
        sentence = point[story.own]
        start = text.index(sentence)
        texts = {name: words for name, words in zip(LANGUAGES, point, strict=True) if words}
        made.append(Bullet(sentence=sentence, start=start, end=start + len(sentence), texts=texts))
    return made


def _metadata(demo: DemoArticle, bullets: Sequence[Bullet], text: str) -> dict[str, Any]:
    story = demo.story
    states = {
        name: ORIGINAL if name == story.language else TRANSLATED if words else NOT_TRANSLATED
        for name, words in zip(LANGUAGES, story.headlines, strict=True)
    }
    return {
        "source_domain": demo.link.domain,
        "language": story.language,
        "words": len(text.split()),
        "date_from": "page",
        "translations": states,
        "points": to_builtins(list(bullets)),
        "writer": WRITER,
        "cost": 0.0,
    }
