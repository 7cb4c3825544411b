"""What people do with newsletters: one verb, one function, each for a principal and only on what is theirs."""

from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.configuration import create, duplicate, edit_configuration, list_own
from almanac.desks.newsletter.service.drafts import (
    check_draft,
    compare_revisions,
    decide_proposal,
    edit_section,
    restore_revision,
    revisions,
)
from almanac.desks.newsletter.service.exporting import open_export, start_export
from almanac.desks.newsletter.service.generation import (
    Progress,
    Started,
    cancel,
    progress,
    regenerate_section,
    run_step_here,
    start_step,
)
from almanac.desks.newsletter.service.lifecycle import complete, delete
from almanac.desks.newsletter.service.outlines import change_outline, paste_outline, replace_outline
from almanac.desks.newsletter.service.provenance import provenance_of
from almanac.desks.newsletter.service.recurring import series_of
from almanac.desks.newsletter.service.topics import choose_topics, include_chunks

__all__ = [
    "Progress",
    "Started",
    "cancel",
    "change_outline",
    "check_draft",
    "choose_topics",
    "compare_revisions",
    "complete",
    "create",
    "decide_proposal",
    "delete",
    "duplicate",
    "edit_configuration",
    "edit_section",
    "include_chunks",
    "list_own",
    "open_export",
    "open_newsletter",
    "paste_outline",
    "progress",
    "provenance_of",
    "regenerate_section",
    "replace_outline",
    "restore_revision",
    "revisions",
    "run_step_here",
    "series_of",
    "start_export",
    "start_step",
]
