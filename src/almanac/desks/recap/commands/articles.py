"""Commands for readers: list, show, compare and export articles, and look up people."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from almanac.desks.recap.model.filters import FACETS, ArticleFilter, parse_filter
from almanac.desks.recap.model.recap import join_sentences
from almanac.desks.recap.model.record_names import house_name
from almanac.desks.recap.model.views import ForeignArticle, foreign_asset
from almanac.desks.recap.service import articles, people, search
from almanac.errors import InputError
from almanac.kit.json_text import to_builtins
from almanac.kit.markdown import markdown_text
from almanac.kit.text import counted
from almanac.services import Services
from almanac.terminal import AsJson, CommandList, print_json, print_line, print_table

commands = CommandList()
Values = list[str]
ArticleId = Annotated[str, typer.Argument(help="The article's id, such as 121715254X01020250401.")]
Limit = Annotated[int, typer.Option(min=1, max=200, help="Most lines.")]
_FILTERS = (*FACETS, "q", "from", "until", "order")


@commands.command("list")
async def list_articles(
    services: Services,
    where: Annotated[Values, typer.Option("--where", help="A filter such as house=衆議院; may be repeated.")] = [],  # noqa: B006 - read only
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Articles by any combination of filters, the newest first."""
    page = await search.list_articles(services, _filter(where), limit=limit)
    if as_json:
        print_json([asdict(listed.card) for listed in page.items])
        return
    cards = [listed.card for listed in page.items]
    rows = [(card.id, card.date[:10], house_name(card.name_of_house), card.title) for card in cards]
    print_table(("Article", "Day", "House", "Title"), rows, empty="No articles match.")


@commands.command("show")
async def show_article(services: Services, article: ArticleId, as_json: AsJson = False) -> None:
    """An article: its key points and its plain summary."""
    full = await articles.read_article(services, article)
    if isinstance(full, ForeignArticle):
        _print_foreign(full, as_json=as_json)
        return
    if as_json:
        print_json({"id": article, "version": full.version, **to_builtins(full.recap)})
        return
    print_line(f"{full.card.title} ({full.card.date[:10]}, version {full.version})")
    for point in full.recap.key_points:
        print_line(f"- {point.text} [{', '.join(map(str, point.based_on_orders))}]")
    print_line(join_sentences(full.recap.soft_language_summary))


def _print_foreign(article: ForeignArticle, *, as_json: bool) -> None:
    if as_json:
        print_json({"id": article.card.id, "problem": article.problem or None, **foreign_asset(article)})
        return
    texts = article.texts
    print_line(f"{article.card.title} ({article.card.date[:10]}, by another program)")
    for text in (*texts.points, *texts.plain, *texts.summary):
        print_line(f"- {markdown_text(text.text)} [{', '.join(map(str, text.orders))}]")
    if article.problem:
        print_line(article.problem)


@commands.command("people")
async def show_person(
    services: Services,
    name: Annotated[str, typer.Argument(help="The person's name.")],
    key: Annotated[str | None, typer.Option(help="Which of several people with this name.")] = None,
    as_json: AsJson = False,
) -> None:
    """A person's offices over time, and how many articles mention them."""
    person = await people.get_person(services, name, key=key)
    identity, offices = person.identity, person.offices
    if as_json:
        print_json({"identity": asdict(identity), "offices": [asdict(office) for office in offices]})
        return
    print_line(f"{identity.name} {identity.yomi}: {counted(identity.articles, 'article')}, key {identity.key}")
    rows = [(office.day, office.group, office.position, office.role, office.article_id) for office in offices]
    print_table(("Day", "Group", "Position", "Role", "Article"), rows, empty="No offices are recorded.")


@commands.command("versions")
async def list_versions(services: Services, article: ArticleId, as_json: AsJson = False) -> None:
    """Every version of an article, the latest first."""
    versions = await articles.list_versions(services, article)
    if as_json:
        print_json([asdict(version) for version in versions])
        return
    rows = [
        (
            version.number,
            f"{version.made_at:%Y-%m-%d %H:%M}",
            "an editor" if version.is_edited else version.model,
            version.prompt_version,
            version.reason,
        )
        for version in versions
    ]
    print_table(("Version", "Made", "By", "Prompt", "Why"), rows, empty="There are no versions.")


@commands.command("diff")
async def compare_versions(
    services: Services,
    article: ArticleId,
    older: Annotated[int, typer.Argument(help="The number of the older version.")],
    newer: Annotated[int, typer.Argument(help="The number of the newer version.")],
    as_json: AsJson = False,
) -> None:
    """What a regeneration changed."""
    differences = await articles.compare_versions(services, article, older, newer)
    if as_json:
        print_json([asdict(difference) for difference in differences])
        return
    for difference in differences:
        print_line(f"{'+' if difference.kind == 'added' else '-'} {difference.part}: {difference.text}")
    if not differences:
        print_line("Both versions are the same.")


@commands.command("export")
async def export_articles(
    services: Services,
    target: Annotated[Path, typer.Argument(help="The file to write: one article a line, as JSON.")],
    where: Annotated[Values, typer.Option("--where", help="A filter such as house=衆議院; may be repeated.")] = [],  # noqa: B006 - read only
) -> None:
    """Write every article that matches a filter to a file, with all its texts."""
    wanted, count = _filter(where), 0
    try:
        with target.open("wb") as file:
            async for line in search.export_articles(services, wanted):
                file.write(line)
                count += 1
    except OSError as error:
        raise InputError(f"{target} can't be written ({error.strerror or error}); name another file.") from error
    print_line(f"{counted(count, 'article')} written to {target}.")


def parse_conditions(where: list[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Conditions such as house=衆議院 by name. InputError for one that isn't of these names."""
    chosen: dict[str, list[str]] = {}
    for condition in where:
        name, equals, value = condition.partition("=")
        if not (name and equals and value):
            raise InputError(f"“{condition}” isn't a filter; write name=value, such as house=衆議院.")
        if name not in names:
            raise InputError(f"“{name}” isn't a filter; use one of {', '.join(names)}.")
        chosen.setdefault(name, []).append(value)
    return chosen


def _filter(where: list[str]) -> ArticleFilter:
    return parse_filter(parse_conditions(where, _FILTERS))
