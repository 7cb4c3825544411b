"""What the API gives: each step as JSON, under the documented names, with everything that is derived beside it."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field

from almanac.desks.newsletter.api.dependencies import told_changes, told_state
from almanac.desks.newsletter.checks import CheckedSection, Obstacle, remarks
from almanac.desks.newsletter.model.chunks import Chunk
from almanac.desks.newsletter.model.newsletter import (
    DraftStep,
    FullNewsletter,
    Newsletter,
    OutlineStep,
    TopicsStep,
)
from almanac.desks.newsletter.model.outline import Item, Section
from almanac.desks.newsletter.model.schedule import Rhythm
from almanac.http.api_models import ApiModel
from almanac.verify import Verdict

StepWord = Literal["pending", "processing", "completed", "failed"]


class RhythmBody(ApiModel):
    """When issues are due: a cron line of five fields, on the clocks of a time zone."""

    rule: str = Field(max_length=100, examples=["0 7 * * 1"])
    time_zone: str = Field("UTC", max_length=60)
    active: bool = Field(False, description="Whether the next issue is prepared by it.")

    def value(self) -> Rhythm:
        return Rhythm(self.rule, self.time_zone, self.active)


class NewsletterBody(ApiModel):
    """A newsletter's own facts and its configuration."""

    code: str
    title: str
    description: str
    status: Literal["draft", "completed", "exported"]
    current_step: int
    user_id: str
    user_name: str
    target_audience: list[str]
    tone_professional: int
    tone_technical: int
    tone_preset: str | None
    format_type: str
    length_preference: str
    frequency: str
    geographic_focus: str
    source_kinds: list[str] = Field(description="Which desks feed it.")
    schedule: RhythmBody | None
    made_from: str | None
    version: int = Field(description="Rises with each edit of the configuration; send it back in If-Match.")
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None

    @classmethod
    def of(cls, newsletter: Newsletter) -> "NewsletterBody":
        return cls(**newsletter_members(newsletter))


class ConfiguredBody(NewsletterBody):
    """A newsletter with what follows from its configuration."""

    sentence: str = Field(description="What will be written, in one sentence.")
    next_runs: list[datetime]
    planned_chunks: int
    planned_days: int
    changes: list[str] = Field(description="What changed since later steps were done, a sentence each.")


def newsletter_members(newsletter: Newsletter) -> dict[str, Any]:
    configuration = newsletter.configuration
    return {
        "code": newsletter.code,
        "title": configuration.title,
        "description": configuration.description,
        "status": newsletter.status,
        "current_step": newsletter.current_step,
        "user_id": newsletter.owner_id,
        "user_name": newsletter.owner_name,
        "target_audience": list(configuration.target_audience),
        "tone_professional": configuration.tone_professional,
        "tone_technical": configuration.tone_technical,
        "tone_preset": configuration.preset,
        "format_type": configuration.format_type,
        "length_preference": configuration.length_preference,
        "frequency": configuration.frequency,
        "geographic_focus": configuration.geographic_focus,
        "source_kinds": list(configuration.source_kinds),
        "schedule": configuration.schedule and RhythmBody.model_validate(configuration.schedule),
        "made_from": newsletter.made_from,
        "version": newsletter.version,
        "created_at": newsletter.created_at,
        "updated_at": newsletter.updated_at,
        "completed_at": newsletter.completed_at,
    }


class PlaceBody(ApiModel):
    """Where a passage stands: its words are the characters from `start` to `end` of that part of the item."""

    desk: str
    item: str = Field(description="The story, the article or the source in the knowledge base.")
    part: str = Field(description="The order of the speech; empty where an item has no parts.")
    version: str = Field(description="Another one once the words of the part have changed.")
    path: str = Field(description="Where it opens on this site.")
    start: int
    end: int


class ChunkBody(ApiModel):
    """A retrieved chunk: what it says, where it is from, and why it was taken."""

    id: str
    topic: str
    source: str
    score: float
    content: str
    title: str
    url: str
    date: date | None
    kind: str = Field(description="The desk it is from: knowledge, news or recap.")
    language: str
    place: PlaceBody | None = Field(description="Where it stands; unknown where another program retrieved it.")
    why: str
    used_in: list[str] = Field(description="Earlier issues that cited it.")
    included: bool

    @classmethod
    def of(cls, chunk: Chunk) -> "ChunkBody":
        return cls.model_validate(chunk)


class CoverageBody(ApiModel):
    """What a retrieval found, took and dropped."""

    wanted: int
    days: int
    found: int
    taken: int
    sentence: str
    dropped: list["DroppedBody"]
    sources: list["ShareBody"]
    topics: dict[str, int]
    empty_topics: list[str]
    newest_age: int | None
    oldest_age: int | None
    used_before: int
    new: list[str] = Field(description="The titles of what no earlier issue told.")


class DroppedBody(ApiModel):
    """A passage that was found and not taken."""

    id: str
    title: str
    source: str
    reason: str


class ShareBody(ApiModel):
    """How much of what was taken is from one source."""

    source: str
    chunks: int
    share: float


class TopicsBody(ApiModel):
    """Step 2: chosen topics and retrieved content."""

    selected_types: list[str]
    recommended_types: list[str] = Field(default_factory=list, description="What suits the audience.")
    retrieval_status: StepWord
    retrieval_started_at: datetime | None
    retrieval_completed_at: datetime | None
    retrieval_error: str | None
    job_id: int | None
    retrieved_content: list[ChunkBody]
    total_chunks_retrieved: int
    coverage: CoverageBody | None
    changes: list[str]
    version: int

    @classmethod
    def of(cls, full: FullNewsletter, recommended: list[str]) -> "TopicsBody":
        step: TopicsStep = full.topics
        state: dict[str, Any] = told_state("retrieval", step.state)
        return cls(
            selected_types=list(step.selected),
            recommended_types=recommended,
            retrieved_content=[ChunkBody.of(chunk) for chunk in step.chunks],
            total_chunks_retrieved=len(step.chunks),
            coverage=_coverage(step),
            changes=told_changes(full, "retrieval"),
            version=step.version,
            **state,
        )


def _coverage(step: TopicsStep) -> CoverageBody | None:
    coverage = step.coverage
    if coverage is None:
        return None
    return CoverageBody(
        wanted=coverage.wanted,
        days=coverage.days,
        found=coverage.found,
        taken=coverage.taken,
        sentence=coverage.sentence,
        dropped=[DroppedBody.model_validate(one) for one in coverage.dropped],
        sources=[ShareBody.model_validate(one) for one in coverage.sources],
        topics=dict(coverage.topics),
        empty_topics=list(coverage.empty_topics),
        newest_age=coverage.newest_age,
        oldest_age=coverage.oldest_age,
        used_before=coverage.used_before,
        new=list(coverage.new),
    )


class ItemBody(ApiModel):
    """An item of the outline. Leave out the id of a new one."""

    id: str = Field("", max_length=100)
    title: str = Field(max_length=2000)
    description: str = Field("", max_length=5000)
    source: str = Field("custom", max_length=40)
    editable: bool = True
    sources: list[str] = Field(default_factory=list, max_length=100, description="The chunks pinned to it.")
    rag_reference_id: str | None = Field(None, max_length=200, description="The first of the pinned chunks.")
    included: bool = True
    notes: str = Field("", max_length=5000)

    @classmethod
    def of(cls, item: Item) -> "ItemBody":
        first = item.sources[0] if item.sources else None
        return cls.model_validate(item).model_copy(update={"rag_reference_id": first})

    def value(self) -> Item:
        pinned = self.sources or [name for name in (self.rag_reference_id,) if name]
        return Item(
            id=self.id,
            title=self.title,
            description=self.description,
            source=self.source,
            editable=self.editable,
            sources=tuple(pinned),
            included=self.included,
            notes=self.notes,
        )


class SectionBody(ApiModel):
    """A section of the outline with its items. Leave out the id of a new one; the order is that of the list."""

    id: str = Field("", max_length=100)
    name: str = Field(max_length=2000)
    order: int | None = None
    included: bool = True
    notes: str = Field("", max_length=5000)
    items: list[ItemBody] = Field(default_factory=list, max_length=200)

    @classmethod
    def of(cls, section: Section, order: int) -> "SectionBody":
        return cls(
            id=section.id,
            name=section.name,
            order=order,
            included=section.included,
            notes=section.notes,
            items=[ItemBody.of(item) for item in section.items],
        )

    def value(self) -> Section:
        return Section(
            id=self.id,
            name=self.name,
            items=tuple(item.value() for item in self.items),
            included=self.included,
            notes=self.notes,
        )


class ModificationsBody(ApiModel):
    """What a person changed in the outline, by item id."""

    items_added: list[str]
    items_removed: list[str]
    items_edited: list[str]


class OutlineBody(ApiModel):
    """Step 3: the outline that the draft follows."""

    outline_status: StepWord
    outline_started_at: datetime | None
    outline_completed_at: datetime | None
    outline_error: str | None
    job_id: int | None
    sections: list[SectionBody]
    user_modifications: ModificationsBody
    removed_items: list[ItemBody]
    generated_at: datetime | None
    changes: list[str]
    version: int

    @classmethod
    def of(cls, full: FullNewsletter) -> "OutlineBody":
        step: OutlineStep = full.outline
        state: dict[str, Any] = told_state("outline", step.state)
        marks = step.outline.modifications
        return cls(
            sections=[SectionBody.of(section, order) for order, section in enumerate(step.outline.sections, 1)],
            user_modifications=ModificationsBody(
                items_added=list(marks.added), items_removed=list(marks.removed), items_edited=list(marks.edited)
            ),
            removed_items=[ItemBody.of(item) for item in step.outline.removed_items],
            generated_at=step.generated_at,
            changes=told_changes(full, "outline"),
            version=step.version,
            **state,
        )


class FindingBody(ApiModel):
    """What is wrong with a sentence."""

    kind: str
    found: str
    expected: str | None
    reason: str


class SentenceBody(ApiModel):
    """A sentence of the text, by its place, with the verdict on it."""

    start: int
    end: int
    verdict: Verdict
    references: list[str]
    findings: list[FindingBody]


class DraftSectionBody(ApiModel):
    """A section of the draft: Markdown with `[@chunk-id]` after each sentence that rests on a chunk."""

    id: str
    key: str
    name: str
    order: int
    text: str
    word_count: int
    written: bool
    edited: bool
    version: int
    proposal: str | None = Field(description="A generated text that waits beside a person's own.")
    model: str
    sentences: list[SentenceBody]

    @classmethod
    def of(cls, checked: CheckedSection, order: int) -> "DraftSectionBody":
        section = checked.section
        return cls(
            id=section.id,
            key=section.key,
            name=section.name,
            order=order,
            text=section.text,
            word_count=section.words,
            written=section.written,
            edited=section.edited,
            version=section.version,
            proposal=section.proposal,
            model=section.model,
            sentences=[SentenceBody.model_validate(sentence) for sentence in checked.report.sentences],
        )


class ObstacleBody(ApiModel):
    """Why the newsletter can't be completed yet."""

    section: str
    sentence: str


class ExportBody(ApiModel):
    """An exported file."""

    s3_key: str
    generated_at: datetime
    file_size: int
    revision: int | None


class DraftBody(ApiModel):
    """Step 4: the text, checked sentence by sentence, and its exports."""

    draft_status: StepWord
    draft_started_at: datetime | None
    draft_completed_at: datetime | None
    draft_error: str | None
    job_id: int | None
    sections: list[DraftSectionBody]
    word_count: int
    estimated_read_time: str
    has_user_edits: bool
    revision: int
    exports: dict[str, ExportBody]
    obstacles: list[ObstacleBody]
    remarks: list[str] = Field(description="What to know before the issue leaves; nothing here stands in its way.")
    generated_at: datetime | None
    changes: list[str]
    version: int

    @classmethod
    def of(cls, full: FullNewsletter, checked: tuple[CheckedSection, ...], standing: list[Obstacle]) -> "DraftBody":
        step: DraftStep = full.draft
        draft, state = step.draft, dict[str, Any](told_state("draft", step.state))
        return cls(
            sections=[DraftSectionBody.of(one, order) for order, one in enumerate(checked, 1)],
            word_count=draft.word_count,
            estimated_read_time=draft.estimated_read_time,
            has_user_edits=draft.has_user_edits,
            revision=draft.revision,
            exports={
                name: ExportBody(
                    s3_key=one.key, generated_at=one.generated_at, file_size=one.size, revision=one.revision
                )
                for name, one in step.exports.items()
            },
            obstacles=[ObstacleBody.model_validate(one) for one in standing],
            remarks=remarks(checked),
            generated_at=step.generated_at,
            changes=told_changes(full, "draft"),
            version=draft.version,
            **state,
        )


class FullBody(ApiModel):
    """All four steps."""

    newsletter: NewsletterBody
    topics: TopicsBody
    outline: OutlineBody
    draft: DraftBody
    changes: list[str]
