"""The words for codes of the news desk: statuses of links and runs, causes, kinds of sources, triggers."""

from almanac.desks.news.model.links import LinkCause, LinkStatus
from almanac.desks.news.model.tasks import BY_HAND, SCHEDULE_LABELS
from almanac.jobs.cron_words import describe_cron
from almanac.kit.messages import gettext, pgettext

STATUSES = {
    LinkStatus.PENDING: pgettext("status of a link", "Pending"),
    LinkStatus.PROCESSING: pgettext("status of a link", "Processing"),
    LinkStatus.COMPLETED: pgettext("status of a link", "Completed"),
    LinkStatus.FAILED: pgettext("status of a link", "Failed"),
    LinkStatus.BLOCKED: pgettext("status of a link", "Blocked"),
    LinkStatus.DUPLICATE: pgettext("status of a link", "Duplicate"),
    "unknown": pgettext("status of a link", "Unknown"),
}
CAUSES = {
    LinkCause.WAITING: pgettext("cause", "Waiting"),
    LinkCause.UNREACHABLE: pgettext("cause", "Unreachable"),
    LinkCause.SLOW_DOWN: pgettext("cause", "Slow down"),
    LinkCause.GONE: pgettext("cause", "Gone"),
    LinkCause.REFUSED: pgettext("cause", "Refused"),
    LinkCause.ROBOTS: pgettext("cause", "Robots"),
    LinkCause.BLACKLIST: pgettext("cause", "Blacklist"),
    LinkCause.RULE: pgettext("cause", "Rule"),
    LinkCause.NO_ARTICLE: pgettext("cause", "No article"),
    LinkCause.UNREADABLE: pgettext("cause", "Unreadable"),
    LinkCause.TOO_LARGE: pgettext("cause", "Too large"),
    LinkCause.BAD_ADDRESS: pgettext("cause", "Bad address"),
    LinkCause.UNCHECKED: pgettext("cause", "Unchecked"),
    LinkCause.MODEL: pgettext("cause", "Model"),
    LinkCause.SAME_PAGE: pgettext("cause", "Same page"),
}
RUN_STATUSES = {
    "running": pgettext("state of a run", "Running"),
    "done": pgettext("state of a run", "Done"),
    "partly done": pgettext("state of a run", "Partly done"),
    "failed": pgettext("state of a run", "Failed"),
}
TRIGGERS = {"schedule": gettext("Schedule"), "by hand": gettext("By hand"), "command": gettext("Command")}
SOURCE_KINDS = {
    "feed": pgettext("kind of source", "Feed"),
    "site": pgettext("kind of source", "Site"),
    "search": pgettext("kind of source", "Search"),
    "model": pgettext("kind of source", "Model"),
}
LABELS = {
    "statuses": STATUSES,
    "causes": CAUSES,
    "run_statuses": RUN_STATUSES,
    "triggers": TRIGGERS,
    "source_kinds": SOURCE_KINDS,
}


def schedule_words(schedule: str | None) -> str:
    """When a task runs, in words; what can't be read is shown as it is written."""
    label = (schedule or "").strip().lower()
    return TRIGGERS["by hand"] if label in BY_HAND else describe_cron(SCHEDULE_LABELS.get(label, schedule or ""))
