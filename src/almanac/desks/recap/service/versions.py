"""Versions of an article, and what a regeneration changed, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from almanac.desks.recap.assets import load_asset
from almanac.desks.recap.model.recap import Dialog, Recap
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.views import Difference, Part, VersionView
from almanac.errors import InputError
from almanac.services import Services


async def list_versions(services: Services, article_id: str) -> list[VersionView]:
    """Every published version, the latest first; one on its way is not shown."""
    article = await store.get_article(services.tables, article_id)
    return [
        VersionView(
            number=one.number,
            title=one.title,
            made_at=one.made_at,
            model=one.model,
            prompt_version=one.prompt_version,
            record_digest=one.record_digest,
            reason=one.reason,
        )
        async for one in store.each_version(services.tables, article_id)
        if one.number <= (article.version or 0)
    ]


async def compare_versions(services: Services, article_id: str, older: int, newer: int) -> list[Difference]:
    """What is only in the older and what is only in the newer version, part by part."""
    if older >= newer:
        raise InputError("Compare an older version with a newer one, such as 1 with 2.")
    article = await store.get_article(services.tables, article_id)
    versions = [await store.get_version(services.tables, article, number) for number in (older, newer)]
    before, after = [(await load_asset(services, one.asset_url)).recap for one in versions]
    found = list(differences(before, after))
    if versions[0].record_digest != versions[1].record_digest:
        found.append(Difference("record", "added", "The official record itself was changed."))
    return found


def differences(before: Recap, after: Recap) -> Iterator[Difference]:
    """Lines of each part that the other version doesn't have."""
    old, new = _lines(before), _lines(after)
    for part in old:
        yield from _changed(part, old[part], new[part])


def _changed(part: Part, old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (Difference(part, "removed", line) for line in old[first:last])
            yield from (Difference(part, "added", line) for line in new[start:end])


def _lines(recap: Recap) -> Mapping[Part, list[str]]:
    return {
        "title": [recap.title],
        "description": [recap.description],
        "categories": list(recap.categories),
        "key_points": [one.text for one in recap.key_points],
        "summary": [one.text for one in recap.summary],
        "soft_language_summary": [one.text for one in recap.soft_language_summary],
        "middle_summary": [
            line for part in recap.middle_summary for line in (part.title, *(one.text for one in part.sentences))
        ],
        "dialogs": [_dialog(one) for one in recap.dialogs],
        "participants": [" ".join(filter(None, (one.name, one.group, one.position))) for one in recap.participants],
        "keywords": [one.keyword for one in recap.keywords],
        "terms": [f"{one.term}: {one.definition}" for one in recap.terms],
    }


def _dialog(dialog: Dialog) -> str:
    bullets = [bullet for section in dialog.summary_sections for bullet in section.bullets]
    return " ".join([f"{dialog.order} {dialog.speaker} [{dialog.reaction}]", dialog.summary, *bullets]).strip()
