"""A newsletter with its four steps, their states, and which of them are out of date."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from almanac.desks.newsletter.model.checks import DraftChecks
from almanac.desks.newsletter.model.chunks import RetrievalCoverage, RetrievedChunk, included_chunks
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import NewsletterDraft
from almanac.desks.newsletter.model.outline import NewsletterOutline
from almanac.desks.newsletter.model.staleness import (
    Basis,
    StepChange,
    draft_basis,
    list_changes_since,
    outline_basis,
    retrieval_basis,
)

FINISHED_STATUSES = ("completed", "exported")
_NUMBERS = re.compile(r"[\d#/.,:-]+")
StepName = Literal["retrieval", "outline", "draft"]
StepStatus = Literal["pending", "processing", "completed", "failed"]
STEP_STATUSES: tuple[StepStatus, ...] = get_args(StepStatus)
STEPS: tuple[StepName, ...] = ("retrieval", "outline", "draft")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepState:
    """The state of a step. `run` is the number of its last finished generation, `job` its job.

    A step that is processing without a job was begun by another program that shares the table.
    """

    status: StepStatus = "pending"
    started_at: datetime | None = None
    completed_at: datetime | None = None
    error: str | None = None
    run: int = 0
    job: int | None = None

    @property
    def is_elsewhere(self) -> bool:
        return self.status == "processing" and self.job is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Newsletter:
    """A newsletter without its steps, as lists show it.

    `status` is draft, completed or exported, or a word of another program, whose newsletter counts as a draft here.
    """

    code: str
    owner_id: str
    configuration: Configuration
    status: str = "draft"
    current_step: int = 1
    version: int = 0
    created_at: datetime
    updated_at: datetime
    owner_email: str = ""
    owner_name: str = ""
    completed_at: datetime | None = None
    made_from: str | None = None
    covered_chunks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.configuration.title

    @property
    def is_draft(self) -> bool:
        return self.status not in FINISHED_STATUSES


def find_series(issue: Newsletter, newsletters: Iterable[Newsletter]) -> list[Newsletter]:
    """Those of one series with an issue: each continues or copies another, or has the same title but for its number."""
    others = {newsletter.code: newsletter for newsletter in (*newsletters, issue)}
    begin = {code: _first_of(newsletter, others) for code, newsletter in others.items()}
    name = _series_name(issue)
    return [
        newsletter
        for code, newsletter in others.items()
        if begin[code] == begin[issue.code] or _series_name(newsletter) == name
    ]


def _first_of(newsletter: Newsletter, others: Mapping[str, Newsletter]) -> str:
    """The code of the newsletter that this one goes back to; it may be deleted."""
    codes = [newsletter.code]
    while (before := newsletter.made_from) and before not in codes:
        codes.append(before)
        if before not in others:
            break
        newsletter = others[before]
    return codes[-1]


def _series_name(newsletter: Newsletter) -> str:
    return " ".join(_NUMBERS.sub(" ", newsletter.title).casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicsStep:
    """Step 2: chosen topics, and the chunks retrieved for them.

    `left_out` are chunks that a person excluded and that the last retrieval didn't find; a later one may.
    """

    state: StepState = StepState()
    selected: tuple[str, ...] = ()
    chunks: tuple[RetrievedChunk, ...] = ()
    left_out: tuple[str, ...] = ()
    coverage: RetrievalCoverage | None = None
    rests_on: Basis = field(default_factory=dict)
    version: int = 0
    updated_at: datetime | None = None

    @property
    def included(self) -> tuple[RetrievedChunk, ...]:
        return included_chunks(self.chunks)

    @property
    def included_ids(self) -> tuple[str, ...]:
        return tuple(chunk.id for chunk in self.included)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineStep:
    """Step 3: the outline that the draft follows."""

    state: StepState = StepState()
    outline: NewsletterOutline = field(default_factory=NewsletterOutline)
    rests_on: Basis = field(default_factory=dict)
    version: int = 0
    generated_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRecord:
    """An exported file: where it is, and the revision it was made from."""

    key: str
    generated_at: datetime
    size: int
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftStep:
    """Step 4: the text and its exports."""

    state: StepState = StepState()
    draft: NewsletterDraft = field(default_factory=NewsletterDraft)
    rests_on: Basis = field(default_factory=dict)
    exports: Mapping[str, ExportRecord] = field(default_factory=dict)
    generated_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FullNewsletter:
    """All four steps; those that were never started are empty."""

    newsletter: Newsletter
    topics: TopicsStep = TopicsStep()
    outline: OutlineStep = OutlineStep()
    draft: DraftStep = DraftStep()
    checks: DraftChecks = field(default_factory=DraftChecks)

    @property
    def code(self) -> str:
        return self.newsletter.code

    def step_state(self, step: StepName) -> StepState:
        return {"retrieval": self.topics.state, "outline": self.outline.state, "draft": self.draft.state}[step]

    def step_basis(self, step: StepName) -> dict[str, str]:
        """The fingerprints that the step would have if it were done now."""
        configuration, included = self.newsletter.configuration, self.topics.included_ids
        if step == "retrieval":
            return retrieval_basis(configuration, self.topics.selected)
        if step == "outline":
            return outline_basis(configuration, included)
        return draft_basis(configuration, included, self.outline.outline.to_write)

    @property
    def changes(self) -> tuple[StepChange, ...]:
        """What changed since the steps were done, the earliest step first."""
        before = {"retrieval": self.topics.rests_on, "outline": self.outline.rests_on, "draft": self.draft.rests_on}
        return tuple(
            change for step in STEPS for change in list_changes_since(step, before[step], self.step_basis(step))
        )

    @property
    def sources(self) -> dict[str, str]:
        """The text of every retrieved chunk by id, including excluded ones, which a text may still cite."""
        return {chunk.id: chunk.content for chunk in self.topics.chunks}


def protected_revisions(full: FullNewsletter) -> frozenset[int]:
    """Revisions that were exported or completed; later edits start a new revision."""
    exported = (record.revision for record in full.draft.exports.values())
    finished = full.draft.draft.revision if not full.newsletter.is_draft else None
    return frozenset(number for number in (*exported, finished) if number)


def has_result(full: FullNewsletter, step: StepName) -> bool:
    """Whether a run of the step or a person left a result."""
    if step == "retrieval":
        return bool(full.topics.chunks)
    if step == "outline":
        return bool(full.outline.outline.items)
    return any(section.text for section in full.draft.draft.sections)


def idle_status(full: FullNewsletter, step: StepName) -> StepStatus:
    """The status of a step when its run ended without a result."""
    return "completed" if has_result(full, step) else "pending"
