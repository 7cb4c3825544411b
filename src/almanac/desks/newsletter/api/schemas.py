"""Response bodies of the API: each step as JSON under its documented names, with what is derived from it."""

from dataclasses import fields
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from almanac.desks.newsletter.api.dependencies import list_changes, state_fields
from almanac.desks.newsletter.model.newsletter import (
    DraftStep,
    FullNewsletter,
    Newsletter,
    OutlineStep,
    StepStatus,
    TopicsStep,
)
from almanac.desks.newsletter.model.outline import NewsletterOutlineSection, SectionItem
from almanac.desks.newsletter.model.schedule import IssueSchedule
from almanac.desks.newsletter.model.verification import (
    CheckedSection,
    CompletionObstacle,
    SentenceStatus,
    list_remarks,
    tally_checks,
)
from almanac.http.api_models import ApiModel
from almanac.verify import ClaimKind, Verdict


class IssueScheduleBody(ApiModel):
    """When issues are due: a cron line of five fields and its time zone."""

    rule: str = Field(max_length=100, examples=["0 7 * * 1"])
    time_zone: str = Field("UTC", max_length=60)
    active: bool = Field(False, description="Whether issues are prepared by this schedule.")

    def value(self) -> IssueSchedule:
        return IssueSchedule(self.rule, self.time_zone, self.active)


class NewsletterBody(ApiModel):
    """A newsletter and its configuration."""

    code: str
    title: str
    description: str
    status: str = Field(description="draft, completed or exported; another program may have stored another word.")
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
    source_kinds: list[str] = Field(description="The desks that are its sources.")
    schedule: IssueScheduleBody | None
    made_from: str | None
    version: int = Field(description="Rises with each edit of the configuration; send it back in If-Match.")
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None

    @classmethod
    def from_model(cls, newsletter: Newsletter) -> "NewsletterBody":
        return cls(**newsletter_fields(newsletter))


class ConfiguredBody(NewsletterBody):
    """A newsletter with what is derived from its configuration."""

    sentence: str = Field(description="What will be written, in one sentence.")
    next_runs: list[datetime]
    planned_chunks: int
    planned_days: int
    changes: list[str] = Field(description="What changed since later steps were done, a sentence each.")


def newsletter_fields(newsletter: Newsletter) -> dict[str, Any]:
    """The members of a newsletter's body, by name."""
    configuration = newsletter.configuration
    members = {
        **_attributes(configuration),
        **_attributes(newsletter),
        "tone_preset": configuration.preset,
        "user_id": newsletter.owner_id,
        "user_name": newsletter.owner_name,
    }
    return {name: members[name] for name in NewsletterBody.model_fields}


def _attributes(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


class ChunkPlaceBody(ApiModel):
    """Where a passage is: the characters from `start` to `end` of that part of the item."""

    desk: str
    item: str = Field(description="The story, the article or the source in the knowledge base.")
    part: str = Field(description="The order of the speech; empty if an item has no parts.")
    version: str = Field(description="Changes when the text of the part changes.")
    path: str = Field(description="Its path on this site.")
    start: int
    end: int


class RetrievedChunkBody(ApiModel):
    """A retrieved chunk: its text, where it is from, and why it was chosen."""

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
    place: ChunkPlaceBody | None = Field(description="Where it is from; null if another program retrieved it.")
    why: str
    used_in: list[str] = Field(description="Earlier issues that cited it.")
    included: bool


class CoverageBody(ApiModel):
    """What a retrieval found, chose and dropped."""

    wanted: int
    days: int
    found: int
    taken: int
    sentence: str
    dropped: list["DroppedChunkBody"]
    sources: list["SourceShareBody"]
    topics: Annotated[dict[str, int], BeforeValidator(dict)]
    empty_topics: list[str]
    newest_age: int | None
    oldest_age: int | None
    used_before: int
    new: list[str] = Field(description="Titles that no earlier issue cited.")


class DroppedChunkBody(ApiModel):
    """A passage that was found but not chosen."""

    id: str
    title: str
    source: str
    reason: str


class SourceShareBody(ApiModel):
    """The share of the chosen passages that one source has."""

    source: str
    chunks: int
    share: float


class TopicsBody(ApiModel):
    """Step 2: chosen topics and retrieved content."""

    selected_types: list[str]
    recommended_types: list[str] = Field(default_factory=list, description="Topic types that suit the audience.")
    retrieval_status: StepStatus
    retrieval_started_at: datetime | None
    retrieval_completed_at: datetime | None
    retrieval_error: str | None
    job_id: int | None
    retrieved_content: list[RetrievedChunkBody]
    total_chunks_retrieved: int
    coverage: CoverageBody | None
    changes: list[str]
    version: int

    @classmethod
    def from_model(cls, full: FullNewsletter, recommended: list[str]) -> "TopicsBody":
        step: TopicsStep = full.topics
        state: dict[str, Any] = state_fields("retrieval", step.state)
        return cls(
            selected_types=list(step.selected),
            recommended_types=recommended,
            retrieved_content=[RetrievedChunkBody.model_validate(chunk) for chunk in step.chunks],
            total_chunks_retrieved=len(step.chunks),
            coverage=CoverageBody.model_validate(step.coverage) if step.coverage else None,
            changes=list_changes(full, "retrieval"),
            version=step.version,
            **state,
        )


class SectionItemBody(ApiModel):
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
    def from_model(cls, item: SectionItem) -> "SectionItemBody":
        first = item.sources[0] if item.sources else None
        return cls.model_validate(item).model_copy(update={"rag_reference_id": first})

    def value(self) -> SectionItem:
        pinned = self.sources or [name for name in (self.rag_reference_id,) if name]
        members = self.model_dump(exclude={"rag_reference_id"})
        return SectionItem(**{**members, "sources": tuple(pinned)})


class OutlineSectionBody(ApiModel):
    """A section of the outline with its items, in list order. Leave out the id of a new one."""

    id: str = Field("", max_length=100)
    name: str = Field(max_length=2000)
    order: int | None = None
    included: bool = True
    notes: str = Field("", max_length=5000)
    items: list[SectionItemBody] = Field(default_factory=list, max_length=200)

    @classmethod
    def from_model(cls, section: NewsletterOutlineSection, order: int) -> "OutlineSectionBody":
        items = [SectionItemBody.from_model(item) for item in section.items]
        return cls.model_validate(section).model_copy(update={"order": order, "items": items})

    def value(self) -> NewsletterOutlineSection:
        members = self.model_dump(exclude={"order", "items"})
        return NewsletterOutlineSection(**members, items=tuple(item.value() for item in self.items))


class ModificationsBody(ApiModel):
    """What a person changed in the outline, by item id."""

    items_added: list[str] = Field(validation_alias="added")
    items_removed: list[str] = Field(validation_alias="removed")
    items_edited: list[str] = Field(validation_alias="edited")


class OutlineBody(ApiModel):
    """Step 3: the outline that the draft follows."""

    outline_status: StepStatus
    outline_started_at: datetime | None
    outline_completed_at: datetime | None
    outline_error: str | None
    job_id: int | None
    sections: list[OutlineSectionBody]
    user_modifications: ModificationsBody
    removed_items: list[SectionItemBody]
    generated_at: datetime | None
    changes: list[str]
    version: int

    @classmethod
    def from_model(cls, full: FullNewsletter) -> "OutlineBody":
        step: OutlineStep = full.outline
        state: dict[str, Any] = state_fields("outline", step.state)
        return cls(
            sections=[
                OutlineSectionBody.from_model(section, order) for order, section in enumerate(step.outline.sections, 1)
            ],
            user_modifications=ModificationsBody.model_validate(step.outline.modifications),
            removed_items=[SectionItemBody.from_model(item) for item in step.outline.removed_items],
            generated_at=step.generated_at,
            changes=list_changes(full, "outline"),
            version=step.version,
            **state,
        )


class SentenceFindingBody(ApiModel):
    """What is wrong with a sentence."""

    kind: str
    found: str
    expected: str | None
    reason: str


class ConfirmationBody(ApiModel):
    """Who checked an unconfirmed sentence beside its source, and when."""

    by: str
    at: datetime


class DraftSentenceBody(ApiModel):
    """A sentence of the text by its position, with the verdict on it."""

    key: str = Field(description="Names the sentence; it changes when its words or its sources change.")
    start: int
    end: int
    text: str = Field(description="The sentence as it was checked, without Markdown and markers.")
    kind: ClaimKind
    verdict: Verdict
    references: list[str]
    findings: list[SentenceFindingBody]
    uncovered: list[tuple[int, int]] = Field(
        description="Offsets in `text` of words that nothing in the source carries."
    )
    judged_by: str = Field(description="The model that confirmed it; empty if rules alone decided.")
    confirmed: ConfirmationBody | None
    is_finished: bool = Field(description="Whether it is supported, confirmed by a person, or the editor's own.")

    @classmethod
    def from_model(cls, sentence: SentenceStatus) -> "DraftSentenceBody":
        confirmation = sentence.confirmation
        members = {
            **_attributes(sentence.checked),
            "key": sentence.key,
            "confirmed": ConfirmationBody.model_validate(confirmation) if confirmation else None,
            "is_finished": sentence.is_finished,
        }
        return cls.model_validate({name: members[name] for name in cls.model_fields})


class DroppedSentenceBody(ApiModel):
    """A sentence that a generation left out."""

    text: str
    reason: str


class ReferenceMoveBody(ApiModel):
    """A reference that was moved to the passage of the same document that says the sentence."""

    sentence: str
    old: str
    new: str


class DraftSectionBody(ApiModel):
    """A section of the draft: Markdown with `[@chunk-id]` after each sentence, or `[@own]` after the editor's own."""

    id: str
    key: str
    name: str
    order: int
    text: str
    word_count: int
    written: bool
    edited: bool
    version: int
    proposal: str | None = Field(description="A generated text, proposed next to a person's own.")
    model: str
    dropped: list[DroppedSentenceBody] = Field(description="What the last generation left out, and why.")
    fallback: str = Field(description="Why extraction wrote the text in place of the model; empty if it didn't.")
    moves: list[ReferenceMoveBody]
    sentences: list[DraftSentenceBody]

    @classmethod
    def from_model(cls, checked: CheckedSection, order: int) -> "DraftSectionBody":
        section = checked.section
        sentences = [DraftSentenceBody.from_model(sentence) for sentence in checked.sentences]
        members = {**_attributes(section), "order": order, "word_count": section.words, "sentences": sentences}
        return cls.model_validate({name: members[name] for name in cls.model_fields})


class ObstacleBody(ApiModel):
    """Why the newsletter can't be completed yet."""

    section: str
    sentence: str


class ExportBody(ApiModel):
    """An exported file."""

    s3_key: str = Field(validation_alias="key")
    generated_at: datetime
    file_size: int = Field(validation_alias="size")
    revision: int | None


class NewsletterDraftBody(ApiModel):
    """Step 4: the text with the verdict on each sentence, and its exports."""

    draft_status: StepStatus
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
    remarks: list[str] = Field(description="What to know before exporting; none of it blocks the export.")
    summary: str = Field(description="How many sentences rest on what, in a sentence; empty without a text.")
    generated_at: datetime | None
    changes: list[str]
    version: int

    @classmethod
    def from_model(
        cls, full: FullNewsletter, checked: tuple[CheckedSection, ...], obstacles: list[CompletionObstacle]
    ) -> "NewsletterDraftBody":
        step: DraftStep = full.draft
        draft, state = step.draft, dict[str, Any](state_fields("draft", step.state))
        return cls(
            sections=[DraftSectionBody.from_model(section, order) for order, section in enumerate(checked, 1)],
            word_count=draft.word_count,
            estimated_read_time=draft.estimated_read_time,
            has_user_edits=draft.has_user_edits,
            revision=draft.revision,
            exports={name: ExportBody.model_validate(record) for name, record in step.exports.items()},
            obstacles=[ObstacleBody.model_validate(obstacle) for obstacle in obstacles],
            remarks=list_remarks(checked),
            summary=tally_checks(checked).sentence,
            generated_at=step.generated_at,
            changes=list_changes(full, "draft"),
            version=draft.version,
            **state,
        )


class FullNewsletterBody(ApiModel):
    """All four steps."""

    newsletter: NewsletterBody
    topics: TopicsBody
    outline: OutlineBody
    draft: NewsletterDraftBody
    changes: list[str]
