"""The check itself: each claim against the sources it names."""

from collections.abc import Mapping, Sequence

from almanac.verify.markers import read_claims
from almanac.verify.model import Checked, Claim, Finding, FindingKind, Report, Verdict

AlsoKnownAs = Mapping[str, Sequence[str]]


def check(
    claims: Sequence[Claim],
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: AlsoKnownAs | None = None,
) -> Report:
    """Check claims, one verdict for each, in their order.

    Whether a claim is a translation of its source is seen from the languages unless said. `names` gives the other
    forms of a name, such as `{"Tanaka Hanako": ["田中花子"]}`.
    """
    raise NotImplementedError


def check_text(
    text: str,
    sources: Mapping[str, str],
    *,
    across_translation: bool | None = None,
    names: AlsoKnownAs | None = None,
) -> Report:
    """Check a text whose sentences are followed by `[@source-id]` markers. Headings and greetings need none."""
    raise NotImplementedError
