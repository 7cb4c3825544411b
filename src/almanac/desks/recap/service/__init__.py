"""What people do at the recap desk: one verb, one function. Who may do it is for the surfaces to guard."""

from almanac.desks.recap.filters import ArticleFilter, filter_from
from almanac.desks.recap.service.feeds import feed
from almanac.desks.recap.service.histories import agenda_timeline, bill_timeline, issue_timeline
from almanac.desks.recap.service.people import person, quotations
from almanac.desks.recap.service.reading import (
    export_articles,
    frequent,
    frequent_in,
    headlines,
    list_articles,
    open_article,
    show_article,
    suggest,
)
from almanac.desks.recap.service.reports import close_report, list_reports, report_error
from almanac.desks.recap.service.tasks import get_task, list_tasks, remake_task, retry_task, start_collecting
from almanac.desks.recap.service.versions import compare_versions, list_versions

__all__ = [
    "ArticleFilter",
    "agenda_timeline",
    "bill_timeline",
    "close_report",
    "compare_versions",
    "export_articles",
    "feed",
    "filter_from",
    "frequent",
    "frequent_in",
    "get_task",
    "headlines",
    "issue_timeline",
    "list_articles",
    "list_reports",
    "list_tasks",
    "list_versions",
    "open_article",
    "person",
    "quotations",
    "remake_task",
    "report_error",
    "retry_task",
    "show_article",
    "start_collecting",
    "suggest",
]
