"""Edits of one sentence of a section's text: other references, marking it as one's own, and dropping it."""

import re
from collections.abc import Sequence

from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.verify import ClaimKind
from almanac.verify.markers import OWN, PlacedClaim

EDITABLE_KINDS = frozenset({ClaimKind.SENTENCE, ClaimKind.CAPTION, ClaimKind.OWN})
_BARE_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)])?[ \t]*")


def mark_own_in_text(text: str, placed: PlacedClaim) -> str:
    """The text with the sentence marked as the person's own; its references go."""
    _check_editable(placed)
    return replace_markers(text, placed, [OWN])


def unmark_own_in_text(text: str, placed: PlacedClaim) -> str:
    """The text with the sentence no longer marked as the person's own."""
    return replace_markers(text, placed, [])


def drop_from_text(text: str, placed: PlacedClaim) -> str:
    """The text without the sentence and its markers; a list item or paragraph that is empty then goes too."""
    _check_editable(placed)
    end = max([placed.end, *(stop for _, stop in placed.markers)])
    before, after = text[: placed.start], text[end:]
    line_start, line_end = before.rfind("\n") + 1, after.find("\n")
    rest = after if line_end < 0 else after[:line_end]
    if _BARE_ITEM.fullmatch(before[line_start:]) and not rest.strip():
        before, after = before[:line_start], after[len(rest) :].removeprefix("\n")
    elif not before[line_start:].strip() or before.endswith(" "):
        after = after.lstrip(" ")
    return re.sub(r"\n{3,}", "\n\n", before + after).strip()


def replace_markers(text: str, placed: PlacedClaim, references: Sequence[str]) -> str:
    """The text with these references in place of the sentence's markers, or right after it if it has none."""
    written = "".join(f"[@{name}]" for name in references)
    if not placed.markers:
        return f"{text[: placed.end]} {written}{text[placed.end :]}" if written else text
    first, *others = placed.markers
    for start, end in reversed(others):
        text = text[:start].rstrip(" ") + text[end:]
    start, end = first
    if not written:
        return text[:start].rstrip(" ") + text[end:]
    return text[:start] + written + text[end:]


def _check_editable(placed: PlacedClaim) -> None:
    if placed.claim.kind not in EDITABLE_KINDS:
        raise InputError(gettext("This is a heading or a row of a table; edit the section to change it."))
