"""The words for the codes of the recap desk: kinds of points, outcomes, types of speech, filters, statuses."""

from almanac.desks.recap.model.editorial import FINDINGS
from almanac.kit.messages import gettext, pgettext

TRENDS = {
    "new": pgettext("keyword", "new"),
    "up": pgettext("keyword", "more than before"),
}
LEVELS = {
    "points": pgettext("how much to read", "Key points"),
    "plain": pgettext("how much to read", "Plain words"),
    "detailed": pgettext("how much to read", "In detail"),
}
KINDS = {
    "decision": pgettext("kind of point", "Decision"),
    "vote": pgettext("kind of point", "Vote"),
    "figure": pgettext("kind of point", "Figure"),
    "proposal": pgettext("kind of point", "Proposal"),
    "question": pgettext("kind of point", "Question"),
    "answer": pgettext("kind of point", "Answer"),
    "position": pgettext("kind of point", "Position"),
    "other": pgettext("kind of point", "Point"),
}
OUTCOMES = {
    "passed": pgettext("outcome", "Passed"),
    "amended": pgettext("outcome", "Passed as amended"),
    "rejected": pgettext("outcome", "Rejected"),
    "approved": pgettext("outcome", "Approved"),
    "consented": pgettext("outcome", "Agreed to"),
    "adopted": pgettext("outcome", "Adopted"),
    "appointed": pgettext("outcome", "Appointed"),
    "designated": pgettext("outcome", "Designated"),
    "permitted": pgettext("outcome", "Permitted"),
    "continued": pgettext("outcome", "Continued"),
    "withdrawn": pgettext("outcome", "Withdrawn"),
    "agreed": pgettext("outcome", "Agreed to"),
    "introduced": pgettext("outcome", "Introduced"),
    "referred": pgettext("outcome", "Referred to a committee"),
    "other": pgettext("outcome", "Decided"),
}
REACTIONS = {
    "質問": pgettext("type of speech", "Question"),
    "答弁": pgettext("type of speech", "Answer"),
    "趣旨説明": pgettext("type of speech", "Explanation"),
    "報告": pgettext("type of speech", "Report"),
    "賛成": pgettext("type of speech", "In favour"),
    "反対": pgettext("type of speech", "Against"),
    "意見": pgettext("type of speech", "Opinion"),
    "動議": pgettext("type of speech", "Motion"),
    "採決": pgettext("type of speech", "Vote"),
    "議事進行": pgettext("type of speech", "Procedure"),
    "会議録情報": pgettext("type of speech", "Header of the record"),
}
LANGUAGES = {
    "ja": pgettext("language of a record", "Japanese"),
    "en": pgettext("language of a record", "English"),
    "de": pgettext("language of a record", "German"),
}
STATUSES = {
    "pending": pgettext("status of a task", "In the queue"),
    "completed": pgettext("status of a task", "Written"),
    "ingested": pgettext("status of a task", "Collected"),
    "failed": pgettext("status of a task", "Failed"),
    "remake": pgettext("status of a task", "To be written again"),
}
PARTS = {
    "title": pgettext("part of an article", "Title"),
    "description": pgettext("part of an article", "Description"),
    "key_points": pgettext("part of an article", "Key points"),
    "summary": pgettext("part of an article", "Summary"),
    "soft_language_summary": pgettext("part of an article", "Plain words"),
    "middle_summary": pgettext("part of an article", "In detail"),
    "dialogs": pgettext("part of an article", "Speeches in short"),
    "keywords": pgettext("part of an article", "Keywords"),
    "categories": pgettext("part of an article", "Subjects"),
    "terms": pgettext("part of an article", "Words explained"),
    "participants": pgettext("part of an article", "Who spoke"),
    "record": pgettext("part of an article", "Official record"),
}
FIELDS = {
    "q": pgettext("filter", "Words"),
    "person": pgettext("filter", "Person"),
    "keyword": pgettext("filter", "Keyword"),
    "since": pgettext("filter", "From"),
    "until": pgettext("filter", "To"),
    "order": pgettext("filter", "Order"),
    "issue": pgettext("filter", "Record number"),
    "category": pgettext("parliament", "Subject"),
    "session": pgettext("parliament", "Session"),
    "house": pgettext("parliament", "House"),
    "meeting": pgettext("parliament", "Meeting"),
    "imagekind": pgettext("filter", "Kind of record"),
    "bill": pgettext("filter", "Bill"),
    "group": pgettext("parliament", "Group"),
    "reaction": pgettext("filter", "Type of speech"),
}
CORRECTED_PARTS = {
    "title": PARTS["title"],
    "description": PARTS["description"],
    "sentence": gettext("Sentence"),
    "article": pgettext("part of an article", "The whole article"),
}
CORRECTIONS = {
    "replaced": pgettext("correction", "Corrected"),
    "removed": pgettext("correction", "Removed"),
    "note": pgettext("correction", "Note"),
    "withdrawn": pgettext("article", "Withdrawn"),
}
STATES = {
    "published": pgettext("article", "Published"),
    "held": pgettext("article", "Held"),
    "withdrawn": pgettext("article", "Withdrawn"),
}
SECTIONS = {
    "home": pgettext("parliament", "Latest"),
    "articles": gettext("Meetings"),
    "speeches": pgettext("parliament", "Speeches"),
    "people": pgettext("parliament", "People"),
    "bills": gettext("Bills"),
    "tasks": gettext("Tasks"),
    "reports": pgettext("parliament", "Reports"),
    "corrections": gettext("Corrections"),
    "held": pgettext("article", "Held"),
}
LABELS = {
    "trends": TRENDS,
    "levels": LEVELS,
    "kinds": KINDS,
    "outcomes": OUTCOMES,
    "languages": LANGUAGES,
    "reactions": REACTIONS,
    "statuses": STATUSES,
    "parts": PARTS,
    "fields": FIELDS,
    "corrections": CORRECTIONS,
    "corrected_parts": CORRECTED_PARTS,
    "findings": FINDINGS,
    "states": STATES,
}
