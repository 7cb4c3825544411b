"""The standard kinds of writing that desks share, each a step with its prompt for models and its way by extraction."""

from almanac.llm.extractive.drafts import PlannedItem
from almanac.llm.extractive.outlines import PlannedSection, Topic
from almanac.llm.steps.bullets import BULLETS, Bullets, BulletsInput
from almanac.llm.steps.draft_section import DRAFT_SECTION, DraftedSection, DraftParagraph, DraftSectionInput
from almanac.llm.steps.headline import HEADLINE, Headline, HeadlineInput
from almanac.llm.steps.inputs import WritingInput
from almanac.llm.steps.key_points import KEY_POINTS, KeyPoints, KeyPointsInput
from almanac.llm.steps.keywords import KEYWORDS, Keyword, Keywords, KeywordsInput
from almanac.llm.steps.outline import OUTLINE, Outline, OutlineInput, OutlineItem, OutlineSection
from almanac.llm.steps.plain_summary import PLAIN_SUMMARY, PlainSummary, PlainSummaryInput
from almanac.llm.steps.summary import SUMMARY, Summary, SummaryInput

STANDARD = (BULLETS, DRAFT_SECTION, HEADLINE, KEY_POINTS, KEYWORDS, OUTLINE, PLAIN_SUMMARY, SUMMARY)

__all__ = [
    "BULLETS",
    "DRAFT_SECTION",
    "HEADLINE",
    "KEYWORDS",
    "KEY_POINTS",
    "OUTLINE",
    "PLAIN_SUMMARY",
    "STANDARD",
    "SUMMARY",
    "Bullets",
    "BulletsInput",
    "DraftParagraph",
    "DraftSectionInput",
    "DraftedSection",
    "Headline",
    "HeadlineInput",
    "KeyPoints",
    "KeyPointsInput",
    "Keyword",
    "Keywords",
    "KeywordsInput",
    "Outline",
    "OutlineInput",
    "OutlineItem",
    "OutlineSection",
    "PlainSummary",
    "PlainSummaryInput",
    "PlannedItem",
    "PlannedSection",
    "Summary",
    "SummaryInput",
    "Topic",
    "WritingInput",
]
