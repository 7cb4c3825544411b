"""The newsletter table: one partition per newsletter, one item per step, in a table shared with other programs.

Keys, attributes and statuses are a contract with those programs. A status that isn't in the contract is read all the
same, so that one item of another program doesn't hide a person's whole list.
"""

import re
from datetime import datetime
from typing import NotRequired, TypedDict
from uuid import uuid4

from almanac.desks.newsletter.model.checks import MAX_CONFIRMATIONS
from almanac.desks.newsletter.model.chunks import MAX_EXCLUDED
from almanac.desks.newsletter.model.outline import MAX_REMOVED
from almanac.desks.newsletter.model.series import MAX_RUNS, Outcome
from tablature import (
    Attr,
    Collection,
    Entity,
    Index,
    Table,
    attr,
    auto_now,
    auto_now_add,
    blob,
    index,
    pattern,
    primary,
    version,
)
from tablature.design import accepted, action

CODE_PATTERN = r"NL-\d{8}-[A-Z0-9]{4}"
CODE_FORM = re.compile(CODE_PATTERN)
MAX_INLINE = 64_000
# Reading a newsletter also reads its revisions, so their texts are stored as blobs.
MAX_INLINE_REVISION = 500


class StoredChunkPlace(TypedDict):
    """Where a chunk is from: desk, item and part, and the characters of that part."""

    desk: str
    item: str
    part: str
    version: str
    path: str
    start: int
    end: int


class StoredChunk(TypedDict):
    """A retrieved chunk. Optional members are ours: other programs neither write nor need them."""

    topic: str
    source: str
    score: float
    content: str
    metadata: NotRequired[dict[str, str]]
    id: NotRequired[str]
    title: NotRequired[str]
    kind: NotRequired[str]
    place: NotRequired[StoredChunkPlace]
    language: NotRequired[str]
    why: NotRequired[str]
    used_in: NotRequired[list[str]]


class StoredOutlineItem(TypedDict):
    """An item of an outline section; `rag_reference_id` is the first of its pinned chunks."""

    id: str
    title: str
    description: str
    editable: bool
    source: str
    rag_reference_id: NotRequired[str]
    sources: NotRequired[list[str]]
    included: NotRequired[bool]
    notes: NotRequired[str]


class StoredSection(TypedDict):
    """A section of the outline with its items in order."""

    id: str
    name: str
    order: int
    items: list[StoredOutlineItem]
    included: NotRequired[bool]
    notes: NotRequired[str]


class StoredModifications(TypedDict):
    """Which outline items a person added, removed or edited, by id."""

    items_added: list[str]
    items_removed: list[str]
    items_edited: list[str]


class StoredExport(TypedDict):
    """One exported file."""

    s3_key: str
    generated_at: str
    file_size: int
    revision: NotRequired[int]


class StoredSchedule(TypedDict):
    """When issues are due: a cron line in a time zone."""

    rule: str
    time_zone: str
    active: bool


class StoredIssueRun(TypedDict):
    """A time at which an issue was due, and its outcome; times as ISO 8601."""

    due: str
    outcome: Outcome
    at: str
    issue: NotRequired[str]
    reason: NotRequired[str]


class StoredDroppedSentence(TypedDict):
    """A sentence that a generation left out, and why."""

    text: str
    reason: str


class StoredMove(TypedDict):
    """A reference that was moved from one chunk to another."""

    sentence: str
    old: str
    new: str


class StoredConfirmation(TypedDict):
    """Who checked an unconfirmed sentence, and when as ISO 8601."""

    by: str
    user_id: str
    at: str


class StoredSectionState(TypedDict):
    """A draft section without its text: its outline section, position and last author."""

    section_id: str
    name: str
    order: int
    written: bool
    edited: bool
    version: int
    proposal: NotRequired[str]
    rests_on: NotRequired[str]
    model: NotRequired[str]
    job: NotRequired[int]
    dropped: NotRequired[list[StoredDroppedSentence]]
    fallback: NotRequired[str]
    moves: NotRequired[list[StoredMove]]


newsletters = Table(
    "newsletter",
    pk="PK",
    sk="SK",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK", doc="What one person owns, by date; and what is due, by time.")],
    doc="Newsletters; items of other programs, such as PROPOSAL#, are neither read nor changed.",
)


class NewsletterRecord(Entity, table=newsletters):
    """Step 1: the configuration, and the state of the newsletter."""

    newsletter_code: Attr[str] = attr(name="newsletterCode", pattern=CODE_PATTERN)
    id: Attr[str | None] = attr(default_factory=lambda: str(uuid4()))
    title: Attr[str] = attr(longest=200)
    description: Attr[str | None] = attr(default=None)
    status: Attr[str] = attr(default="draft", absent="draft")
    user_id: Attr[str]
    user_email: Attr[str | None] = attr(default=None)
    user_name: Attr[str | None] = attr(default=None)
    created_at: Attr[datetime] = auto_now_add()
    updated_at: Attr[datetime] = auto_now()
    target_audience: Attr[list[str]] = attr(default_factory=list, absent=[], longest=20)
    tone_professional: Attr[int] = attr(default=50, absent=50, minimum=0, maximum=100)
    tone_technical: Attr[int] = attr(default=50, absent=50, minimum=0, maximum=100)
    format_type: Attr[str] = attr(default="email", absent="email")
    length_preference: Attr[str] = attr(default="standard", absent="standard")
    frequency: Attr[str] = attr(default="weekly", absent="weekly")
    geographic_focus: Attr[str | None] = attr(default=None, longest=200)
    source_kinds: Attr[list[str] | None] = attr(
        default=None, longest=10, doc="The desks that are its sources; all if absent."
    )
    current_step: Attr[int] = attr(default=1, absent=1, minimum=1, maximum=4)
    version: Attr[int | None] = attr(default=None, doc="Rises with each edit of the configuration.")
    schedule: Attr[StoredSchedule | None] = attr(default=None)
    covered_chunks: Attr[list[str] | None] = attr(default=None, longest=500, doc="What a finished issue cites.")
    completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    made_from: Attr[str | None] = attr(default=None, doc="The newsletter that this one continues or copies.")

    key = primary("NEWSLETTER#{newsletter_code}", "METADATA")
    by_user = index("GSI1", "USER#{user_id:raw}", "NEWSLETTER#{created_at:iso}")

    of_user = pattern(by_user, order="descending", page=25, doc="A person's newsletters, the most recent first.")
    by_code = pattern(key, page=1, doc="One newsletter's configuration by its code.")


class TopicsRecord(Entity, table=newsletters):
    """Step 2: the chosen topics and what was retrieved for them."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    selected_types: Attr[list[str]] = attr(default_factory=list, absent=[], longest=100)
    retrieval_status: Attr[str] = attr(default="pending", absent="pending")
    retrieval_started_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    retrieval_completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    retrieval_error: Attr[str | None] = attr(default=None)
    retrieved_content: Attr[list[StoredChunk] | None] = blob(over=MAX_INLINE, default=None)
    total_chunks_retrieved: Attr[int] = attr(default=0, absent=0)
    updated_at: Attr[datetime] = auto_now()
    version: Attr[int | None] = attr(default=None, doc="Rises with each choice and each retrieval.")
    run: Attr[int | None] = attr(default=None, doc="The number of the last retrieval that ended.")
    job: Attr[int | None] = attr(default=None, doc="The job of the last retrieval.")
    excluded_chunks: Attr[list[str] | None] = attr(default=None, longest=MAX_EXCLUDED)
    coverage: Attr[dict[str, object] | None] = blob(over=MAX_INLINE, default=None)
    rests_on: Attr[dict[str, str] | None] = attr(default=None, longest=10)

    key = primary("NEWSLETTER#{newsletter_code}", "TOPICS")


class OutlineRecord(Entity, table=newsletters):
    """Step 3: the outline; the draft has exactly its sections."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    outline_status: Attr[str] = attr(default="pending", absent="pending")
    outline_started_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    outline_completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    outline_error: Attr[str | None] = attr(default=None)
    sections: Attr[list[StoredSection]] = attr(default_factory=list, absent=[], longest=50)
    user_modifications: Attr[StoredModifications | None] = attr(default=None)
    generated_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    updated_at: Attr[datetime] = auto_now()
    version: Attr[int | None] = attr(default=None, doc="Rises with each edit and each generation.")
    run: Attr[int | None] = attr(default=None, doc="The number of the last generation that ended.")
    job: Attr[int | None] = attr(default=None, doc="The job of the last generation.")
    removed_items: Attr[list[StoredOutlineItem] | None] = attr(default=None, longest=MAX_REMOVED)
    removed_sections: Attr[list[str] | None] = attr(
        default=None, longest=MAX_REMOVED, doc="Ids that no other section may get."
    )
    rests_on: Attr[dict[str, str] | None] = attr(default=None, longest=10)

    key = primary("NEWSLETTER#{newsletter_code}", "OUTLINE")


class DraftRecord(Entity, table=newsletters):
    """Step 4: the text by section, a person's edits, and exports."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    draft_status: Attr[str] = attr(default="pending", absent="pending")
    draft_started_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    draft_completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    draft_error: Attr[str | None] = attr(default=None)
    generated_content: Attr[str | None] = blob(over=MAX_INLINE, default=None)
    sections: Attr[dict[str, str]] = attr(default_factory=dict, absent={}, longest=100)
    user_edits: Attr[str | None] = blob(over=MAX_INLINE, default=None)
    has_user_edits: Attr[bool] = attr(default=False, absent=False)
    word_count: Attr[int] = attr(default=0, absent=0)
    estimated_read_time: Attr[str | None] = attr(default=None)
    generated_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    updated_at: Attr[datetime] = auto_now()
    exports: Attr[dict[str, StoredExport]] = attr(default_factory=dict, absent={}, longest=10)
    version: Attr[int | None] = attr(default=None, doc="Rises with each change of the text.")
    run: Attr[int | None] = attr(default=None, doc="The number of the last generation that ended.")
    job: Attr[int | None] = attr(default=None, doc="The job of the last generation.")
    section_states: Attr[dict[str, StoredSectionState] | None] = attr(default=None, longest=100)
    revision: Attr[int | None] = attr(default=None, doc="The number of the last revision.")
    rests_on: Attr[dict[str, str] | None] = attr(default=None, longest=10)

    key = primary("NEWSLETTER#{newsletter_code}", "DRAFT")


class RevisionRecord(Entity, table=newsletters):
    """A snapshot of the draft's text; a separate item so that the steps stay small."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    number: Attr[int] = attr(in_key=True, minimum=1)
    created_at: Attr[datetime] = auto_now_add()
    by: Attr[str] = attr(default="")
    reason: Attr[str] = attr(default="")
    sitting: Attr[str | None] = attr(default=None)
    word_count: Attr[int] = attr(default=0)
    texts: Attr[dict[str, str] | None] = blob(over=MAX_INLINE_REVISION, default=None)
    names: Attr[dict[str, str] | None] = attr(default=None, longest=100)

    key = primary("NEWSLETTER#{newsletter_code}", "REVISION#{number:06d}")

    of_newsletter = pattern(key, order="descending", page=50, doc="A newsletter's revisions, the latest first.")


class ChecksRecord(Entity, table=newsletters):
    """Verdicts on the draft's sentences and who confirmed them, by a hash of sentence and sources.

    A separate item, since other programs neither write nor need it; verdicts can be computed again.
    """

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    verdicts: Attr[dict[str, object] | None] = blob(over=MAX_INLINE, default=None)
    confirmations: Attr[dict[str, StoredConfirmation]] = attr(
        default_factory=dict, absent={}, longest=MAX_CONFIRMATIONS
    )
    updated_at: Attr[datetime] = auto_now()

    key = primary("NEWSLETTER#{newsletter_code}", "CHECKS")


class SeriesRecord(Entity, table=newsletters):
    """When the next issue is due, and earlier runs; only for newsletters with a schedule.

    A separate item, since METADATA is already in the index under its owner.
    """

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    active: Attr[bool] = attr(default=False)
    next_run: Attr[datetime | None] = attr(default=None, precision="seconds")
    runs: Attr[list[StoredIssueRun]] = attr(default_factory=list, absent=[], longest=MAX_RUNS)
    updated_at: Attr[datetime] = auto_now()
    version: Attr[int] = version()

    key = primary("NEWSLETTER#{newsletter_code}", "SERIES")
    by_time = index("GSI1", "SCHEDULE#NEWSLETTER", "{next_run:iso}", when={"active": True})

    due = pattern(by_time, page=50, doc="Newsletters whose next issue is due, the longest waiting first.")


class FullNewsletterRecord(Collection):
    """A newsletter with all its steps, in one query."""

    newsletter: NewsletterRecord
    topics: TopicsRecord | None
    outline: OutlineRecord | None
    draft: DraftRecord | None
    checks: ChecksRecord | None


_VERSION_NOTE = (
    "Its own number `version` guards every edit; the layer's guard would add one to items of other programs."
)
ACCEPTED = [
    accepted(
        "TAB001", "NewsletterRecord.user_id", "Programs that share the table write user ids into the key as they are."
    ),
    accepted(
        "TAB005", "SeriesRecord.by_time", "Few newsletters have a schedule, and one look every few minutes reads them."
    ),
    accepted(
        "TAB207", "NewsletterRecord.by_code", "It is listed for readers of the design; code gets the item by its key."
    ),
    accepted(
        "TAB304", "ChecksRecord", "Each confirmation is written by its own path, and verdicts can be computed again."
    ),
    accepted("TAB304", "DraftRecord", _VERSION_NOTE),
    accepted("TAB304", "NewsletterRecord", _VERSION_NOTE),
    accepted("TAB304", "OutlineRecord", _VERSION_NOTE),
    accepted("TAB304", "TopicsRecord", _VERSION_NOTE),
    accepted("TAB503", "TopicsRecord.total_chunks_retrieved", "It counts chunks of its own item and is set with them."),
    accepted(
        "TAB803", "DraftRecord.sections", "The outline has sections in order, the draft has texts by section name."
    ),
]
ACTIONS = [
    action("See my newsletters", "NewsletterRecord.of_user"),
    action("Create a newsletter", "NewsletterRecord.create"),
    action("Open a newsletter", "FullNewsletterRecord.collect"),
    action("Finish retrieval", "TopicsRecord.put"),
    action("Finish the outline", "OutlineRecord.put"),
    action("Finish the draft", "DraftRecord.put", "NewsletterRecord.patch"),
    action("Confirm a sentence", "ChecksRecord.patch"),
    action("Look at earlier revisions", "RevisionRecord.of_newsletter"),
    action("Find what is due", "SeriesRecord.due"),
    action("Prepare the next issue", "SeriesRecord.put", "NewsletterRecord.create", "TopicsRecord.create"),
]
