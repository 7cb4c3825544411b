"""The newsletter table: one partition per newsletter, one item per step, in a table shared with other programs.

Keys, attributes and statuses are a contract with those programs. What the steps mean is left to the desk's model.
"""

from datetime import datetime
from typing import Literal, NotRequired, TypedDict
from uuid import uuid4

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
)
from tablature.design import accepted, action

CODE_PATTERN = r"NL-\d{8}-[A-Z0-9]{4}"
LARGEST_INLINE = 64_000

Status = Literal["draft", "completed", "exported"]
StepStatus = Literal["pending", "processing", "completed", "failed"]


class Chunk(TypedDict):
    """A retrieved piece of a source."""

    topic: str
    source: str
    score: float
    content: str
    metadata: NotRequired[dict[str, str]]


class OutlineItem(TypedDict):
    """One entry of an outline section; `rag_reference_id` names the chunk it came from."""

    id: str
    title: str
    description: str
    editable: bool
    source: str
    rag_reference_id: NotRequired[str]


class Section(TypedDict):
    """A section of the outline with its items in order."""

    id: str
    name: str
    order: int
    items: list[OutlineItem]


class Modifications(TypedDict):
    """Which outline items a person added, removed or edited, by id."""

    items_added: list[str]
    items_removed: list[str]
    items_edited: list[str]


class Export(TypedDict):
    """One exported file."""

    s3_key: str
    generated_at: str
    file_size: int


newsletters = Table(
    "newsletter", pk="PK", sk="SK",
    indexes=[Index("GSI1", "GSI1PK", "GSI1SK", doc="What one person owns, by date.")],
    doc="Newsletters, beside foreign items such as PROPOSAL#, which nothing here reads or changes.",
)  # fmt: skip


class Newsletter(Entity, table=newsletters):
    """Step 1, the configuration, and the state of the newsletter as a whole."""

    newsletter_code: Attr[str] = attr(name="newsletterCode", pattern=CODE_PATTERN)
    id: Attr[str | None] = attr(default_factory=lambda: str(uuid4()))
    title: Attr[str] = attr(longest=200)
    description: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="draft")
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
    current_step: Attr[int] = attr(default=1, absent=1, minimum=1, maximum=4)

    key = primary("NEWSLETTER#{newsletter_code}", "METADATA")
    by_user = index("GSI1", "USER#{user_id:raw}", "NEWSLETTER#{created_at:iso}")

    of_user = pattern(by_user, order="descending", page=25, doc="A person's newsletters, the most recent first.")
    by_code = pattern(key, page=1, doc="One newsletter's configuration by its code.")


class Topics(Entity, table=newsletters):
    """Step 2: the chosen topic types and what was retrieved for them."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    selected_types: Attr[list[str]] = attr(default_factory=list, absent=[], longest=100)
    retrieval_status: Attr[StepStatus] = attr(default="pending", absent="pending")
    retrieval_started_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    retrieval_completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    retrieval_error: Attr[str | None] = attr(default=None)
    retrieved_content: Attr[list[Chunk] | None] = blob(over=LARGEST_INLINE, default=None)
    total_chunks_retrieved: Attr[int] = attr(default=0, absent=0)
    updated_at: Attr[datetime] = auto_now()

    key = primary("NEWSLETTER#{newsletter_code}", "TOPICS")


class Outline(Entity, table=newsletters):
    """Step 3: the sections that the draft follows one to one."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    outline_status: Attr[StepStatus] = attr(default="pending", absent="pending")
    outline_started_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    outline_completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    outline_error: Attr[str | None] = attr(default=None)
    sections: Attr[list[Section]] = attr(default_factory=list, absent=[], longest=50)
    user_modifications: Attr[Modifications | None] = attr(default=None)
    generated_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    updated_at: Attr[datetime] = auto_now()

    key = primary("NEWSLETTER#{newsletter_code}", "OUTLINE")


class Draft(Entity, table=newsletters):
    """Step 4: the text, section by section, what a person made of it, and its exports."""

    newsletter_code: Attr[str] = attr(in_key=True, name="newsletterCode", pattern=CODE_PATTERN)
    draft_status: Attr[StepStatus] = attr(default="pending", absent="pending")
    draft_started_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    draft_completed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    draft_error: Attr[str | None] = attr(default=None)
    generated_content: Attr[str | None] = blob(over=LARGEST_INLINE, default=None)
    sections: Attr[dict[str, str]] = attr(default_factory=dict, absent={}, longest=100)
    user_edits: Attr[str | None] = blob(over=LARGEST_INLINE, default=None)
    has_user_edits: Attr[bool] = attr(default=False, absent=False)
    word_count: Attr[int] = attr(default=0, absent=0)
    estimated_read_time: Attr[str | None] = attr(default=None)
    generated_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    updated_at: Attr[datetime] = auto_now()
    exports: Attr[dict[str, Export]] = attr(default_factory=dict, absent={}, longest=10)

    key = primary("NEWSLETTER#{newsletter_code}", "DRAFT")


class FullNewsletter(Collection):
    """A newsletter with all its steps, in one query."""

    newsletter: Newsletter
    topics: Topics | None
    outline: Outline | None
    draft: Draft | None


_LAST_EDIT_WINS = "Steps are edited by their one owner, and generation writes only under its own status."
ACCEPTED = [
    accepted("TAB001", "Newsletter.user_id", "Programs that share the table write user ids into the key as they are."),
    accepted("TAB207", "Newsletter.by_code", "It is listed for readers of the design; code gets the item by its key."),
    accepted("TAB304", "Draft", _LAST_EDIT_WINS),
    accepted("TAB304", "Newsletter", _LAST_EDIT_WINS),
    accepted("TAB304", "Outline", _LAST_EDIT_WINS),
    accepted("TAB304", "Topics", _LAST_EDIT_WINS),
    accepted("TAB503", "Topics.total_chunks_retrieved", "It counts chunks of its own item and is set with them."),
    accepted("TAB803", "Draft.sections", "The outline has sections in order, the draft has texts by section name."),
]
ACTIONS = [
    action("See my newsletters", "Newsletter.of_user"),
    action("Begin a newsletter", "Newsletter.create"),
    action("Open a newsletter", "FullNewsletter.collect"),
    action("Finish retrieval", "Topics.put"),
    action("Finish the outline", "Outline.put"),
    action("Finish the draft", "Draft.put", "Newsletter.patch"),
]
