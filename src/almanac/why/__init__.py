"""Why something is as it is: one question that every desk answers in the same form, a trace with its next action.

A desk registers a `WhySource` in its descriptor; pages, palette, API and commands ask all of them through `finder`.
"""

from almanac.why.finder import explain_subject, find_subjects, parse_question, search_documents
from almanac.why.model import TraceAction, TraceStep, WhyQuestion, WhyReader, WhySubject, WhyTone, WhyTrace
from almanac.why.port import UNKNOWN_SUBJECT, SubjectFinder, TraceMaker, WhySource, find_no_subjects

__all__ = [
    "UNKNOWN_SUBJECT",
    "SubjectFinder",
    "TraceAction",
    "TraceMaker",
    "TraceStep",
    "WhyQuestion",
    "WhyReader",
    "WhySource",
    "WhySubject",
    "WhyTone",
    "WhyTrace",
    "explain_subject",
    "find_no_subjects",
    "find_subjects",
    "parse_question",
    "search_documents",
]
