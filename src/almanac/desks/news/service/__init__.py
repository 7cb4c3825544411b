"""The verbs of the news desk, one function each: tasks, links, articles, sites, rules, and the fate of an address."""

from almanac.desks.news.service.articles import find_articles, get_article, list_tags, newest_articles
from almanac.desks.news.service.fates import Fate, fate
from almanac.desks.news.service.links import LinkFilter, add_links, get_link, list_links, retry, retry_many, statistics
from almanac.desks.news.service.lists import export_opml, import_opml, story_feed
from almanac.desks.news.service.previews import Look, cancel_preview, get_preview, preview_task, start_preview
from almanac.desks.news.service.rules import add_rule, delete_rule, edit_rule, get_rule, list_rules
from almanac.desks.news.service.sites import allow_site, block_site, list_blocked, list_domains, unblock_site
from almanac.desks.news.service.tasks import (
    TaskCard,
    create_task,
    delete_task,
    edit_task,
    get_task,
    get_task_of_number,
    list_runs,
    list_tasks,
    run_now,
    task_card,
)

__all__ = [
    "Fate",
    "LinkFilter",
    "Look",
    "TaskCard",
    "add_links",
    "add_rule",
    "allow_site",
    "block_site",
    "cancel_preview",
    "create_task",
    "delete_rule",
    "delete_task",
    "edit_rule",
    "edit_task",
    "export_opml",
    "fate",
    "find_articles",
    "get_article",
    "get_link",
    "get_preview",
    "get_rule",
    "get_task",
    "get_task_of_number",
    "import_opml",
    "list_blocked",
    "list_domains",
    "list_links",
    "list_rules",
    "list_runs",
    "list_tags",
    "list_tasks",
    "newest_articles",
    "preview_task",
    "retry",
    "retry_many",
    "run_now",
    "start_preview",
    "statistics",
    "story_feed",
    "task_card",
    "unblock_site",
]
