"""The recap desk's two tables: tasks for the writer, and articles with the thin items that lists are read from.

Long texts are objects; the items hold their addresses. What a task or an article must contain is left to the model.
"""

from datetime import datetime, timedelta
from typing import Literal

from almanac.desks.recap.model.editorial import ArticleState, CorrectedPart, CorrectionKind, CorrectionStatus
from almanac.desks.recap.model.items import (
    ArticleCard,
    LegislativeItem,
    LegislativeItemCard,
    ReportStatus,
    StoredFinding,
    StoredKeyword,
    StoredParticipant,
    StoredTerm,
    TaskChunk,
    TaskMeeting,
    TaskStatus,
)
from tablature import (
    Attr,
    Entity,
    Index,
    Table,
    attr,
    auto_now,
    auto_now_add,
    fanout,
    index,
    pattern,
    primary,
    queue,
)
from tablature.design import accepted, action

ARTICLE_SHARDS = 4
MOST_ATTEMPTS = 5
LEASE = timedelta(minutes=15)


llm_tasks = Table(
    "llm_tasks",
    pk="pk",
    indexes=[Index("StatusIndex", "status", "createdAt", doc="Tasks by status, the oldest first.")],
    doc="Meetings on their way to becoming articles.",
)


class Task(Entity, table=llm_tasks):
    """One meeting to write about; `pk` is a hash of session, house and issueID."""

    pk: Attr[str]
    status: Attr[TaskStatus] = attr(default="pending")
    llm: Attr[str | None] = attr(default=None)
    llm_model: Attr[str | None] = attr(default=None, name="llmModel")
    retry_attempts: Attr[int] = attr(default=0, absent=0, name="retryAttempts", doc="Without the first attempt.")
    attempts: Attr[int | None] = attr(default=None, doc="How often a worker began, the first time included.")
    created_at: Attr[datetime] = auto_now_add(precision="milliseconds", name="createdAt")
    updated_at: Attr[datetime] = auto_now(precision="milliseconds", name="updatedAt")
    processing_mode: Attr[Literal["single_chunk", "chunked"] | None] = attr(default=None, name="processingMode")
    prompt_version: Attr[str | None] = attr(default=None)
    prompt_url: Attr[str | None] = attr(default=None)
    result_url: Attr[str | None] = attr(default=None)
    meeting: Attr[TaskMeeting | None] = attr(default=None)
    chunks: Attr[list[TaskChunk]] = attr(default_factory=list, absent=[], longest=500)
    raw_url: Attr[str | None] = attr(default=None, doc="The official record as it was collected.")
    record_digest: Attr[str | None] = attr(
        default=None, doc="Changes whenever the official record does; absent in tasks of other programs."
    )
    written_digest: Attr[str | None] = attr(default=None, doc="The record that the article was written from.")
    article_id: Attr[str | None] = attr(default=None)
    error: Attr[str | None] = attr(default=None, doc="Why it failed, or what the last attempt met.")
    fallbacks: Attr[int | None] = attr(default=None, doc="How often in a row extraction replaced a model's answer.")

    key = primary("{pk}")
    by_status = index("StatusIndex", "{status}", "{created_at}")

    with_status = pattern(by_status, page=25, doc="Tasks in one status, the oldest first.")
    latest_with_status = pattern(by_status, order="descending", page=25, doc="Tasks in one status, the latest first.")
    work = queue(
        by_status,
        ready="pending",
        done="completed",
        failed="failed",
        lease=LEASE,
        most_attempts=MOST_ATTEMPTS,
        attempts="attempts",
        doc="Tasks to write, each under a lease.",
    )


articles = Table(
    "articles",
    pk="PK",
    sk="SK",
    indexes=[
        Index("GSI1", "GSI1PK", "GSI1SK", doc="All articles by date."),
        Index("GSI2", "GSI2PK", "GSI2SK", doc="The articles of a month by date."),
    ],
    doc="Articles, and thin items under everything a reader may filter by.",
)


MONTH = "Y#{date:[:4]}#M#{date:[5:7]}"
THIN_SK = MONTH + "#D#{date}#A#{id:raw}"
THIN = {"type": "THIN_INDEX"}


class Article(Entity, table=articles):
    """A published article; its texts are in the object at `asset_url`."""

    id: Attr[str] = attr(in_key=True)
    type: Attr[Literal["ARTICLE"]] = attr(default="ARTICLE", absent="ARTICLE")
    asset_url: Attr[str | None] = attr(default=None)
    title: Attr[str] = attr(absent="")
    # A day or a moment: programs that share the table write either, and keys repeat its text.
    date: Attr[str] = attr(absent="", pattern=r"\d{4}-\d\d-\d\d(T[0-9:.]+(Z|[+-]\d\d:\d\d))?")
    month: Attr[str | None] = attr(default=None)
    image_kind: Attr[str | None] = attr(default=None, name="imageKind")
    session: Attr[int | None] = attr(default=None)
    name_of_house: Attr[str | None] = attr(default=None, name="nameOfHouse")
    name_of_meeting: Attr[str | None] = attr(default=None, name="nameOfMeeting")
    issue_id: Attr[str | None] = attr(default=None, name="issueID")
    categories: Attr[list[str]] = attr(default_factory=list, absent=[], longest=10)
    description: Attr[str | None] = attr(default=None)
    participants: Attr[list[StoredParticipant | str]] = attr(default_factory=list, absent=[], longest=200)
    keywords: Attr[list[StoredKeyword | str]] = attr(default_factory=list, absent=[], longest=30)
    terms: Attr[list[StoredTerm]] = attr(default_factory=list, absent=[], longest=100)
    bills: Attr[list[LegislativeItem] | None] = attr(default=None, longest=30)
    agenda: Attr[list[LegislativeItem] | None] = attr(default=None, longest=30)
    version: Attr[int | None] = attr(default=None, doc="The number of its version; higher ones don't count yet.")
    content_digest: Attr[str | None] = attr(default=None, doc="Changes whenever the published content does.")
    published_at: Attr[datetime | None] = attr(default=None, precision="seconds", doc="When it was first published.")
    votes_at: Attr[datetime | None] = attr(
        default=None, doc="When official votes by group were last imported for its day."
    )
    updated_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    record_stage: Attr[str | None] = attr(default=None, doc="preliminary while the final record is still to come.")

    key = primary("A#{id:raw}", "META")
    by_date = index("GSI1", "ARTICLE", "{date}", shards=ARTICLE_SHARDS, by="id", include_unsharded=True)
    by_month = index("GSI2", MONTH, "{date}")
    by_category = fanout(each="categories", pk="CATEGORY#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN)
    by_person = fanout(
        each="participants", of="name", pk="PERSON#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN
    )
    by_keyword = fanout(
        each="keywords", of="keyword", pk="KEYWORD#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN
    )
    by_image_kind = fanout(each="image_kind", pk="IMAGEKIND#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN)
    by_session = fanout(each="session", pk="SESSION#{each}", sk=THIN_SK, view=ArticleCard, constants=THIN)
    by_house = fanout(each="name_of_house", pk="HOUSE#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN)
    by_meeting = fanout(each="name_of_meeting", pk="MEETING#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN)
    by_issue = fanout(each="issue_id", pk="ISSUE#{each:raw}", sk=THIN_SK, view=ArticleCard, constants=THIN)
    by_bill = fanout(each="bills", of="key", pk="BILL#{each:raw}", sk=THIN_SK, view=LegislativeItemCard, constants=THIN)
    by_agenda = fanout(
        each="agenda", of="key", pk="AGENDA#{each:raw}", sk=THIN_SK, view=LegislativeItemCard, constants=THIN
    )

    latest = pattern(by_date, order="descending", page=20, doc="All articles, the latest first.")
    of_month = pattern(by_month, order="descending", page=20, doc="The articles of the month that a date lies in.")
    with_category = pattern(by_category, order="descending", page=20, doc="Articles in a category.")
    with_person = pattern(by_person, order="descending", page=20, doc="Articles in which a person takes part.")
    with_keyword = pattern(by_keyword, order="descending", page=20, doc="Articles with a keyword.")
    with_image_kind = pattern(by_image_kind, order="descending", page=20, doc="Articles with a kind of image.")
    of_session = pattern(by_session, order="descending", page=20, doc="Articles of a session of parliament.")
    of_house = pattern(by_house, order="descending", page=20, doc="Articles of a house.")
    of_meeting = pattern(by_meeting, order="descending", page=20, doc="Articles of a committee or plenary.")
    of_issue = pattern(by_issue, order="descending", page=20, doc="Articles about one record.")
    timeline = pattern(by_issue, page=20, doc="One issue across meetings, from its beginning.")
    bill_timeline = pattern(by_bill, page=50, doc="One bill across meetings and houses, from its beginning.")
    agenda_timeline = pattern(by_agenda, page=50, doc="One item of the agenda across meetings, from its beginning.")


class Version(Entity, table=articles):
    """An article as it was published once; the texts of old versions stay in their objects."""

    id: Attr[str] = attr(in_key=True)
    number: Attr[int] = attr(in_key=True, minimum=1)
    type: Attr[Literal["VERSION"]] = attr(default="VERSION", absent="VERSION")
    asset_url: Attr[str]
    base_url: Attr[str] = attr(default="", absent="", doc="Its texts before any correction.")
    record_url: Attr[str] = attr(default="", doc="The official record that it rests on.")
    content_digest: Attr[str]
    record_digest: Attr[str] = attr(default="")
    title: Attr[str] = attr(default="")
    made_at: Attr[datetime] = attr(precision="seconds")
    model: Attr[str] = attr(default="")
    prompt_version: Attr[str] = attr(default="")
    reason: Attr[str] = attr(default="")

    key = primary("A#{id:raw}", "VERSION#{number:06d}")

    of_article = pattern(key, order="descending", page=50, doc="An article's versions, the latest first.")


class ErrorReport(Entity, table=articles):
    """What a reader says is wrong with an article."""

    id: Attr[str] = attr(in_key=True)
    report_id: Attr[str]
    type: Attr[Literal["REPORT"]] = attr(default="REPORT", absent="REPORT")
    status: Attr[ReportStatus] = attr(default="open")
    order: Attr[int | None] = attr(default=None)
    version: Attr[int | None] = attr(default=None)
    text: Attr[str] = attr(longest=2000)
    by: Attr[str] = attr(default="")
    from_public: Attr[bool] = attr(default=False, absent=False, doc="Whether somebody without an account sent it.")
    answer: Attr[str] = attr(default="", absent="", longest=2000)
    correction_id: Attr[str] = attr(default="", absent="", doc="The correction that it led to.")
    closed_at: Attr[datetime | None] = attr(default=None, precision="seconds")
    created_at: Attr[datetime] = auto_now_add(precision="milliseconds")

    key = primary("A#{id:raw}", "REPORT#{report_id}")
    by_status = index("GSI1", "REPORT#{status}", "{created_at:iso}#{report_id}")

    of_article = pattern(key, page=50, doc="What readers reported about an article.")
    with_status = pattern(by_status, order="descending", page=25, doc="Reports of errors, the latest first.")


class EditorialStatus(Entity, table=articles):
    """Whether an article is published, held or withdrawn; it exists once an editor or a check has decided.

    While an article isn't published it has no item of its own and no thin items: what it would be is at `item_url`.
    """

    id: Attr[str] = attr(in_key=True)
    type: Attr[Literal["EDITORIAL"]] = attr(default="EDITORIAL", absent="EDITORIAL")
    state: Attr[ArticleState] = attr(default="published")
    revision: Attr[int] = attr(default=1, doc="Rises with every decision.")
    settled: Attr[bool] = attr(default=False, doc="Whether the article and the indexes follow the state.")
    reason: Attr[str] = attr(default="", absent="", longest=2000)
    by: Attr[str] = attr(default="", absent="", doc="Who decided; empty if the desk did.")
    since: Attr[datetime] = attr(precision="milliseconds")
    item_url: Attr[str] = attr(default="", absent="", doc="The article item as it would be published.")
    title: Attr[str] = attr(default="", absent="")
    date: Attr[str] = attr(default="", absent="")
    name_of_house: Attr[str | None] = attr(default=None, name="nameOfHouse")
    name_of_meeting: Attr[str | None] = attr(default=None, name="nameOfMeeting")
    findings: Attr[list[StoredFinding]] = attr(default_factory=list, absent=[], longest=50)
    accepted: Attr[str] = attr(default="", absent="", doc="A digest of the findings that a person released.")

    key = primary("A#{id:raw}", "EDITORIAL")
    by_state = index("GSI1", "EDITORIAL#{state}", "{since:iso}#{id:raw}")

    with_state = pattern(by_state, order="descending", page=25, doc="Held or withdrawn articles, the latest first.")


class ArticleCorrection(Entity, table=articles):
    """A correction with the note that readers see; also that an article was withdrawn."""

    id: Attr[str] = attr(in_key=True)
    correction_id: Attr[str]
    type: Attr[Literal["CORRECTION"]] = attr(default="CORRECTION", absent="CORRECTION")
    status: Attr[CorrectionStatus] = attr(default="applied")
    kind: Attr[CorrectionKind]
    part: Attr[CorrectedPart]
    before: Attr[str] = attr(default="", absent="", longest=4000)
    after: Attr[str] = attr(default="", absent="", longest=4000)
    note: Attr[str] = attr(longest=2000)
    orders: Attr[list[int]] = attr(default_factory=list, absent=[], longest=50)
    by: Attr[str] = attr(default="", absent="")
    report_id: Attr[str] = attr(default="", absent="")
    date: Attr[str] = attr(default="", absent="")
    name_of_house: Attr[str | None] = attr(default=None, name="nameOfHouse")
    name_of_meeting: Attr[str | None] = attr(default=None, name="nameOfMeeting")
    created_at: Attr[datetime] = attr(precision="milliseconds")

    key = primary("A#{id:raw}", "CORRECTION#{correction_id}")
    by_time = index("GSI1", "CORRECTION", "{created_at:iso}#{correction_id}")

    of_article = pattern(key, page=50, doc="The corrections of an article.")
    latest = pattern(by_time, order="descending", page=25, doc="Corrections of all articles, the latest first.")


_AS_IT_IS = "Names stand in these keys as people write them; each is the last part of its key."
_WHOLE_CARD = "A list shows the categories of each article, and there are ten of them at the most."
_NAMES = (
    "id",
    "categories",
    "participants",
    "keywords",
    "image_kind",
    "name_of_house",
    "name_of_meeting",
    "issue_id",
    "bills",
    "agenda",
)
_BESIDE_ARTICLES = ("Version", "ErrorReport", "EditorialStatus", "ArticleCorrection")
_FANOUTS = (
    "by_category",
    "by_person",
    "by_keyword",
    "by_image_kind",
    "by_session",
    "by_house",
    "by_meeting",
    "by_issue",
    "by_bill",
    "by_agenda",
)
ACCEPTED = [
    *(accepted("TAB001", f"Article.{name}", _AS_IT_IS) for name in _NAMES),
    *(accepted("TAB001", f"{entity}.id", _AS_IT_IS) for entity in _BESIDE_ARTICLES),
    accepted("TAB005", "ArticleCorrection.by_time", "Editors correct a few sentences a week at the most."),
    accepted(
        "TAB006", "EditorialStatus.by_state", "Few articles are held or withdrawn; published ones have none of these."
    ),
    accepted("TAB006", "ErrorReport.by_status", "Readers report a few errors a day at the most."),
    accepted("TAB006", "Task.by_status", "The status itself is the key, and a parliament makes a few tasks a day."),
    accepted("TAB103", "Task.by_status", "Tasks of every status are listed from this index, finished ones too."),
    accepted("TAB304", "Task", "A task is written only by the holder of its lease, or to give it back."),
    accepted("TAB401", "Article", "A sitting has many speakers; a large write is staged and never seen half done."),
    *(accepted("TAB403", f"Article.{name}", _WHOLE_CARD) for name in _FANOUTS),
    accepted("TAB701", "Article", "An article is written once and read under each of its names for years."),
]
ACTIONS = [
    action("See the latest articles", "Article.latest"),
    action("See a person's articles", "Article.with_person"),
    action("Follow an issue", "Article.timeline"),
    action("Follow a bill", "Article.bill_timeline"),
    action("Compare versions", "Version.of_article"),
    action("Report an error", "ErrorReport.create"),
    action("See what is held", "EditorialStatus.with_state"),
    action("Correct an article", "ArticleCorrection.create"),
    action("See what was corrected", "ArticleCorrection.latest"),
    action("Read an article", "Article.get"),
    action("Publish an article", "Article.create"),
    action("Collect a meeting", "Task.create"),
    action("See waiting tasks", "Task.with_status"),
]
