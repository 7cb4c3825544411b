"""Writes the reference pages that follow from the code; `--check` only compares, and a test calls that.

Run by `make docs`. What a person must explain is written by hand in the other pages.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import typer
from fastapi.routing import APIRoute

from almanac import errors
from almanac.accounts import permissions
from almanac.bootstrap import register_work
from almanac.cli.main import app as command_line
from almanac.config import PREFIX, PUBLIC_PATH, Settings, describe_settings
from almanac.desks import DESKS
from almanac.http.auth import Guard
from almanac.http.shortcuts import SHORTCUTS
from almanac.jobs import JobRegistry, Schedule
from almanac.kit.clock import SystemClock
from almanac.knowledge import indexing as knowledge_indexing
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.platform_jobs import platform_schedules
from almanac.public.site_routes import list_routes
from almanac.search import DocumentKind
from almanac.search.embeddings import embedding_schedule
from almanac.search.fields import ALIASES, BASE_FIELDS, DATE_FIELDS, FACET_FIELDS
from almanac.search.vocabulary import tidy_schedule
from almanac.tables import MODULES
from almanac.web import operations
from almanac.web.api import DESK_APIS, api
from almanac.web.pages import DESK_PAGES, PAGES
from almanac.web.public_side import PLATFORM_PARTS
from almanac.webhooks import EventRegistry
from tablature.design import design_of
from tablature.output.documents import document

REFERENCE = Path(__file__).parent / "reference"
SOURCE = Path(__file__).parent.parent / "src" / "almanac"
NOTE = "<!-- Written by `make docs` from the code; edit that instead. -->\n"


def settings_page() -> str:
    """Every setting with its default."""
    rows = [
        f"| `{line.variable}` | {f'`{line.value}`' if line.value else ''} | {line.about} |"
        for line in describe_settings({}, Path("/nonexistent"))
    ]
    secret = [f"`{PREFIX}{name.upper()}`" for name, f in Settings.__dataclass_fields__.items() if f.metadata["secret"]]
    return "\n".join(
        [
            "# Settings",
            "",
            "Set a variable, or write the name in lower case without the prefix into `almanac.toml`, for example",
            "`port = 9000`. The environment wins over the file. `almanac config` shows what is in force and why.",
            "",
            f"Secrets are refused in `almanac.toml`: {', '.join(secret)}.",
            "",
            "What was chosen in [set-up](../how-to/set-up.md) is in `settings.toml` in the data folder.",
            "It may hold secrets, so only the account that runs Almanac can read it.",
            "Variables and `almanac.toml` win over it.",
            "",
            "`ALMANAC_CONFIG` names another file than `almanac.toml` in the current folder.",
            "",
            "| variable | default | about |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def commands_page() -> str:
    """Every command with its arguments and options."""
    root = typer.main.get_command(command_line)
    parts = [
        "# Commands",
        "",
        "Every command takes `--help`; those that print something take `--json` where it makes sense.",
        "",
    ]
    for path, command in _commands(root, "almanac"):
        parts += [f"## `{path}`", "", inspect.cleandoc(command.help or ""), ""]
        rows = [_parameter(p) for p in command.params if p.name != "help"]
        if rows:
            parts += ["| argument or option | about |", "|---|---|", *rows, ""]
    return "\n".join(parts)


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    for name in sorted(children):
        yield from _commands(children[name], f"{path} {name}")


def _parameter(parameter: Any) -> str:
    is_option = parameter.param_type_name == "option"
    shown = ", ".join(parameter.opts) if is_option else parameter.name.upper()
    return f"| `{shown}` | {parameter.help or ''} |"


def routes_page() -> str:
    """Every page and API route with what it takes to use it."""
    groups = {
        "API": [api, *DESK_APIS.values(), *(desk.api for desk in DESKS)],
        "Pages": [*PAGES, *DESK_PAGES.values()],
        "Desks": [desk.pages for desk in DESKS],
        "Operations": [operations.router],
    }
    parts = [
        "# Routes",
        "",
        "What each route needs: a permission (see permissions.md), somebody signed in, or nothing. What anyone",
        "may read on the public side is there only if ALMANAC_PUBLIC lists its part.",
        "",
    ]
    for title, routers in groups.items():
        parts += [f"## {title}", "", "| route | needs | about |", "|---|---|---|"]
        rows = [_route(route) for router in routers for route in _routes(router)]
        parts += [*sorted(rows), ""]
    parts += ["## Public side", "", "| route | needs | about |", "|---|---|---|", *sorted(_public_rows()), ""]
    return "\n".join(parts)


def _public_rows() -> Iterator[str]:
    public = [*(part for desk in DESKS if (part := desk.public_part) is not None), *PLATFORM_PARTS]
    for route in list_routes(public):
        condition = f"`{route.part}` is public" if route.part else "anything is public"
        yield f"| `GET {PUBLIC_PATH}{route.path}` | anyone, if {condition} | {route.about} |"
        if route.form is not None:
            yield f"| `POST {PUBLIC_PATH}{route.path}` | anyone, if {condition} | {route.form.about} |"


def _routes(router: Any) -> Iterator[APIRoute]:
    """The routes of a router and of those it includes."""
    for route in router.routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from _routes(included)
        elif isinstance(route, APIRoute):
            yield route


def _route(route: APIRoute) -> str:
    about = inspect.cleandoc(route.endpoint.__doc__ or "").split("\n")[0]
    methods = " ".join(sorted(route.methods))
    return f"| `{methods} {route.path}` | {_needs(route)} | {about} |"


def _needs(route: APIRoute) -> str:
    guards = [d.call for d in route.dependant.dependencies if isinstance(d.call, Guard)]
    if not guards:
        return "nothing"
    guard = guards[0]
    if guard.permission is None:
        return "somebody signed in"
    at_desk = f" or `desk.{{desk}}.{guard.at_desk}`" if guard.at_desk else ""
    return f"`{guard.permission}`{at_desk}"


def permissions_page() -> str:
    """Every permission with the roles that give it by default and the scopes that let it through."""
    parts = [
        "# Permissions, roles and scopes",
        "",
        "[Who may do what](../explanation/who-may-do-what.md) explains how these come together.",
        "",
        "| permission | allows to | roles | scopes |",
        "|---|---|---|---|",
    ]
    parts += [_permission(name, meaning) for name, meaning in permissions.PLATFORM_PERMISSIONS.items()]
    parts += [
        _permission(permissions.desk_permission(desk, action), f"{action.capitalize()} at the {desk} desk")
        for desk in permissions.DESKS
        for action in permissions.ACTIONS
    ]
    return "\n".join([*parts, ""])


def _permission(name: str, meaning: str) -> str:
    roles = ", ".join(role for role in permissions.Role if name in permissions.role_permissions(role))
    scopes = ", ".join(s for s in permissions.WHOLE_SCOPES if name in permissions.scope_permissions([s]))
    return f"| `{name}` | {meaning} | {roles} | {scopes} |"


def errors_page() -> str:
    """Every error with its code and status."""
    parts = [
        "# Errors",
        "",
        "The API answers errors as `application/problem+json` with `code`, `title`, `status`, `detail` and",
        "`request_id`; pages show the same sentence. Codes are stable; sentences may improve.",
        "",
        "| code | status | may be retried | meaning |",
        "|---|---|---|---|",
    ]
    for kind in sorted(_tree(errors.AlmanacError), key=lambda kind: (kind.status, kind.code)):
        retried = "yes" if issubclass(kind, errors.Retryable) else "no"
        about = inspect.cleandoc(kind.__doc__ or "").split("\n")[0]
        parts.append(f"| `{kind.code}` | {kind.status} | {retried} | {about} |")
    return "\n".join([*parts, ""])


def _tree(kind: type[errors.AlmanacError]) -> Iterator[type[errors.AlmanacError]]:
    for child in kind.__subclasses__():
        if child.__module__.startswith("almanac"):
            yield child
            yield from _tree(child)


def queries_page() -> str:
    """Every named SQL statement with what it is for."""
    parts = ["# SQL statements", "", "Each statement has a name and one home: the `queries.sql` of its package.", ""]
    for path in sorted(SOURCE.rglob("queries.sql")):
        parts += [f"## {path.parent.relative_to(SOURCE).as_posix()}", "", "| statement | for |", "|---|---|"]
        for section in path.read_text("utf-8").split("-- name:")[1:]:
            lines = section.splitlines()
            about = lines[1].removeprefix("--").strip() if len(lines) > 1 and lines[1].startswith("--") else ""
            parts.append(f"| `{lines[0].strip()}` | {about} |")
        parts.append("")
    return "\n".join(parts)


def jobs_page() -> str:
    """Every task of the platform and of the desks, with its schedule."""
    work = _work()
    scheduled = {schedule.job_type.name: schedule for schedule in work.schedules.values()}
    parts = [
        "# Background work",
        "",
        "What runs by itself at the times of a cron line, or because it was asked for. The jobs page shows each run.",
        "",
        "| task | when | queue | about |",
        "|---|---|---|---|",
    ]
    for name, job_type in sorted(work.job_types.items()):
        parts.append(f"| `{name}` | {_when(scheduled.get(name))} | {job_type.queue} | {job_type.title} |")
    return "\n".join([*parts, ""])


def _when(schedule: Schedule | None) -> str:
    if schedule is None:
        return "when asked for"
    return f"`{schedule.cron}` {schedule.time_zone}, catches up {schedule.catch_up}"


def _work() -> JobRegistry:
    """Tasks hold on to their ports and ask nothing of them before they run."""
    port = cast("Any", SimpleNamespace(clock=SystemClock(), database=None, read=None))
    registry, knowledge = JobRegistry(), KnowledgeJobs(port, port)
    registry.add(knowledge.read_task)
    registry.schedule(*knowledge.schedules, embedding_schedule(port), tidy_schedule(port))
    register_work(registry, EventRegistry(()), platform_schedules(Settings(), port, port), DESKS)
    return registry


def access_patterns_page() -> str:
    """Every table, entity and access pattern with its cost."""
    return document(design_of(MODULES))


def fields_page() -> str:
    """Every field of the query syntax, with its one meaning."""
    meanings = {**BASE_FIELDS, **DATE_FIELDS, **FACET_FIELDS}
    rows = [
        f"| `{name}:` | {_also_written(name)} | {_kinds_with(name)} | {meaning} |" for name, meaning in meanings.items()
    ]
    return "\n".join(
        [
            "# Fields of the query syntax",
            "",
            "`field:value` means the same on every page, in the API, in saved queries with their feeds and alerts,",
            "in rules and on the command line. A value is compared as a whole, whatever its case and width;",
            "`value*` is a beginning.",
            "How queries are written: [Search](../how-to/search.md).",
            "",
            "| field | also written | of | means |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def shortcuts_page() -> str:
    """Every keyboard shortcut, by page."""
    lines = ["# Keyboard shortcuts", "", "`?` shows those of the page you are on.", ""]
    for group in SHORTCUTS:
        where = "" if group.path == "/" else f" (`{group.path}`)"
        lines += [f"## {group.title}{where}", "", "| key | does |", "|---|---|"]
        lines += [f"| {' '.join(f'`{part}`' for part in key.split())} | {words} |" for key, words in group.keys]
        lines.append("")
    return "\n".join(lines)


def _also_written(field: str) -> str:
    return ", ".join(f"`{alias}:`" for alias, name in ALIASES.items() if name == field)


def _kinds_with(field: str) -> str:
    if field not in FACET_FIELDS:
        return "everything"
    return ", ".join(f"`{kind.name}`" for kind in document_kinds() if field in kind.facets)


def document_kinds() -> list[DocumentKind]:
    """The kinds of documents that desks and knowledge put into the index."""
    modules = [import_module(f"almanac.desks.{desk.name}.indexing") for desk in DESKS] + [knowledge_indexing]
    kinds = {kind.name: kind for module in modules for kind in vars(module).values() if isinstance(kind, DocumentKind)}
    return [kinds[name] for name in sorted(kinds)]


PAGES_WRITTEN: dict[str, Callable[[], str]] = {
    "settings.md": settings_page,
    "commands.md": commands_page,
    "routes.md": routes_page,
    "permissions.md": permissions_page,
    "errors.md": errors_page,
    "sql.md": queries_page,
    "background-work.md": jobs_page,
    "search-fields.md": fields_page,
    "shortcuts.md": shortcuts_page,
    "../access-patterns.md": access_patterns_page,
}


def stale_pages() -> list[str]:
    """The pages that differ from what the code says now."""
    return [
        name
        for name, write in PAGES_WRITTEN.items()
        if not (REFERENCE / name).exists() or (REFERENCE / name).read_text("utf-8") != NOTE + write()
    ]


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` name those that are not current."""
    if "--check" in arguments:
        for name in stale_pages():
            sys.stderr.write(f"docs/reference/{name} is not current; run `make docs`.\n")
        return 1 if stale_pages() else 0
    for name, write in PAGES_WRITTEN.items():
        (REFERENCE / name).write_text(NOTE + write(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
