"""The standard kinds of writing that desks share, each a step with a prompt for models and a way by extraction."""

from almanac.llm.steps.outlines import DRAFT_SECTION, OUTLINE
from almanac.llm.steps.summaries import BULLETS, HEADLINE, KEY_POINTS, KEYWORDS, PLAIN_SUMMARY, SUMMARY

STANDARD_STEPS = (BULLETS, DRAFT_SECTION, HEADLINE, KEY_POINTS, KEYWORDS, OUTLINE, PLAIN_SUMMARY, SUMMARY)
