"""All five desks have the same rooms under the same names, no room depends on itself by a detour, and permissions
are named once.

The plan is in docs/explanation/architecture.md; change it there and here, for all desks at once.
"""

import ast
import re

import pytest

DESKS = ("habits", "news", "newsletter", "recap", "reminders")
REQUIRED = {
    "__init__.py",
    "api",
    "commands",
    "day.py",
    "demo",
    "events.py",
    "explainer.py",
    "indexing.py",
    "jobs.py",
    "model",
    "pages",
    "permissions.py",
    "pipeline",
    "service",
    "store",
    "templates",
}
OPTIONAL = {
    "formats",
    "intake.py",
    "locales",
    "prompts",
    "public.py",
    "published",
    "sources",
    "static",
    "urls.py",
    "writer",
}
ALIASES = {"Reader": "read", "Writer": "write", "Approver": "approve", "Sender": "send"}


def rooms(root, desk):
    folder = root / "src/almanac/desks" / desk
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).parts[0] for path in files}


@pytest.mark.parametrize("desk", DESKS)
def test_a_desk_has_exactly_the_rooms_of_the_plan(root, desk):
    present = rooms(root, desk)
    assert REQUIRED - present == set()
    assert present - REQUIRED - OPTIONAL == set()


def test_the_plan_is_documented(root):
    page = (root / "docs/explanation/architecture.md").read_text("utf-8")
    rows = set(re.findall(r"`([\w.]+?)/?`", page))
    assert {name for name in (REQUIRED | OPTIONAL) - {"__init__.py"} if name not in rows} == set()


@pytest.mark.parametrize("desk", DESKS)
def test_rooms_of_a_desk_have_no_import_cycle(edges, desk):
    prefix = f"almanac.desks.{desk}."
    graph: dict[str, set[str]] = {}
    for module, targets in edges.items():
        if module.startswith(prefix):
            room = module.removeprefix(prefix).split(".")[0]
            inside = {target.removeprefix(prefix).split(".")[0] for target in targets if target.startswith(prefix)}
            graph.setdefault(room, set()).update(inside - {room})
    assert cycle(graph) is None


def cycle(graph):
    """The first cycle in the graph as a path, or None."""
    done: set[str] = set()

    def visit(node, path):
        if node in path:
            return [*path[path.index(node) :], node]
        if node not in done:
            for target in sorted(graph.get(node, ())):
                if closed := visit(target, [*path, node]):
                    return closed
            done.add(node)
        return None

    return next((closed for node in sorted(graph) if (closed := visit(node, []))), None)


def test_the_cycle_search_finds_one():
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}}) is None


@pytest.mark.parametrize("desk", DESKS)
def test_permissions_of_a_desk_are_written_once(modules, desk):
    """`permissions.py` holds the strings; everything else imports the constants."""
    prefix, home = f"almanac.desks.{desk}", f"almanac.desks.{desk}.permissions"
    literal = re.compile(rf"desk\.{desk}\.\w+")
    wrong = [
        f"{name}:{node.lineno} {node.value}"
        for name, module in modules.items()
        if f"{name}.".startswith(f"{prefix}.") and name != home
        for node in module.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and literal.fullmatch(node.value)
    ]
    assert wrong == []


@pytest.mark.parametrize("desk", DESKS)
def test_aliases_of_permissions_mean_the_same_at_every_desk(modules, desk):
    """`Reader` needs READ, `Writer` needs WRITE and so on, in the API and on pages alike."""
    for name in (f"almanac.desks.{desk}.api.dependencies", f"almanac.desks.{desk}.pages.layout"):
        if name not in modules:
            continue
        for node in modules[name].tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                alias, value = node.targets[0].id, ast.unparse(node.value)
                if "require(" in value:
                    assert alias in ALIASES, f"{name}: {alias} isn't one of {sorted(ALIASES)}"
                    assert f"require({ALIASES[alias].upper()})" in value, f"{name}: {alias} = {value}"
