"""The standard writing steps that desks share, each with a prompt for models and an extractive implementation."""

from almanac.llm.steps.outlines import DRAFT_SECTION, OUTLINE
from almanac.llm.steps.summaries import BULLETS, HEADLINE, KEY_POINTS, KEYWORDS, PLAIN_SUMMARY, SUMMARY

STANDARD_STEPS = (BULLETS, DRAFT_SECTION, HEADLINE, KEY_POINTS, KEYWORDS, OUTLINE, PLAIN_SUMMARY, SUMMARY)
