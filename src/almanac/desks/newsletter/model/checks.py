"""What is kept about the sentences of a draft: verdicts by content, and who checked an unconfirmed sentence.

Both are kept under a hash of the sentence and the texts of its sources, so that any change voids them.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from almanac.verify import CheckedClaim, CitedClaim, ClaimFinding, Verdict, check
from almanac.verify.markers import PlacedClaim

KEY_LENGTH = 24
# Beside those of the current text, so that undoing an edit or moving a reference costs no check.
_SPARE_VERDICTS = 400
MAX_CONFIRMATIONS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedVerdict:
    """The result of a check, without the sentence itself."""

    verdict: Verdict
    findings: tuple[ClaimFinding, ...] = ()
    best_source: str | None = None
    matched: tuple[int, int] | None = None
    uncovered: tuple[tuple[int, int], ...] = ()
    judged_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceConfirmation:
    """A person read an unconfirmed sentence beside its sources and vouches for it."""

    by: str
    user_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftChecks:
    """What is stored about the sentences of a draft, by key."""

    verdicts: Mapping[str, CachedVerdict] = field(default_factory=dict)
    confirmations: Mapping[str, SentenceConfirmation] = field(default_factory=dict)


class VerdictCache:
    """Checks sentences against the sources of a newsletter, each only once per content and version of the rules."""

    def __init__(self, stored: Mapping[str, CachedVerdict], sources: Mapping[str, str], rules: str) -> None:
        self._stored = stored
        self._sources = sources
        self._rules = rules
        self._digests = {name: _digest(name, text) for name, text in sources.items()}
        self._all_sources = _digest(*sorted(self._digests.values()))
        self._used: dict[str, CachedVerdict] = {}
        # How many verdicts are not stored yet.
        self.misses = 0

    def sentence_key(self, claim: CitedClaim) -> str:
        """The hash of the sentence and the texts it is compared with; it doesn't depend on the rules."""
        compared = claim.references or claim.context
        texts = [self._digests.get(name, f"no source {name}") for name in compared]
        if claim.is_free and not compared:
            texts = [self._all_sources]
        return _digest(claim.kind, claim.text, *texts)

    def check(self, placed: Sequence[PlacedClaim]) -> tuple[CheckedClaim, ...]:
        """The checked sentences in order; those whose verdict is stored are not checked again."""
        keys = [_digest(self._rules, self.sentence_key(each.claim)) for each in placed]
        missing = {key: each.claim for key, each in zip(keys, placed, strict=True) if self._find(key) is None}
        if missing:
            self.misses += len(missing)
            report = check(list(missing.values()), self._sources_of(missing.values()))
            self._used |= {
                key: _cached_verdict(checked) for key, checked in zip(missing, report.sentences, strict=True)
            }
        return tuple(_checked_claim(each, self._used[key]) for key, each in zip(keys, placed, strict=True))

    def check_claim(self, claim: CitedClaim) -> CheckedClaim:
        """One sentence, checked against the sources it names."""
        (checked,) = self.check([PlacedClaim(claim, 0, len(claim.text))])
        return checked

    def replace(self, sentence_key: str, checked: CheckedClaim) -> None:
        """Keep another verdict on a sentence, as a second judge reached it."""
        self._used[_digest(self._rules, sentence_key)] = _cached_verdict(checked)
        self.misses += 1

    def verdicts(self) -> dict[str, CachedVerdict]:
        """What to store: every verdict used here, and the latest of the others."""
        others = [key for key in self._stored if key not in self._used]
        return {**{key: self._stored[key] for key in others[-_SPARE_VERDICTS:]}, **self._used}

    def _find(self, key: str) -> CachedVerdict | None:
        if key not in self._used and key in self._stored:
            self._used[key] = self._stored[key]
        return self._used.get(key)

    def _sources_of(self, claims: Iterable[CitedClaim]) -> Mapping[str, str]:
        """Only the sources that these sentences are compared with: parsing all of them takes longest."""
        names: set[str] = set()
        for claim in claims:
            if claim.is_free and not (claim.references or claim.context):
                return self._sources
            names |= {*claim.references, *claim.context}
        return {name: text for name, text in self._sources.items() if name in names}


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:KEY_LENGTH]


def _cached_verdict(checked: CheckedClaim) -> CachedVerdict:
    return CachedVerdict(
        verdict=checked.verdict,
        findings=checked.findings,
        best_source=checked.best_source,
        matched=checked.matched,
        uncovered=checked.uncovered,
        judged_by=checked.judged_by,
    )


def _checked_claim(placed: PlacedClaim, cached: CachedVerdict) -> CheckedClaim:
    claim = placed.claim
    return CheckedClaim(
        text=claim.text,
        start=placed.start,
        end=placed.end,
        references=claim.references,
        verdict=cached.verdict,
        findings=cached.findings,
        best_source=cached.best_source,
        matched=cached.matched,
        needs_source=claim.needs_source,
        uncovered=cached.uncovered,
        judged_by=cached.judged_by,
        kind=claim.kind,
    )
