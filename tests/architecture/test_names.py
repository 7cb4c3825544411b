"""Plain names: modules are nouns, a class name means one class, variables name the thing they hold."""

import ast
from collections import defaultdict

# Words ending in -ing that are nouns of the trade.
NOUNS = {
    "encoding",
    "heading",
    "housekeeping",
    "indexing",
    "logging",
    "mapping",
    "naming",
    "meeting",
    "paging",
    "ranking",
    "rounding",
    "routing",
    "scheduling",
    "setting",
    "string",
    "testing",
}
# Class names that stand for more than one class, each with the reason.
SHARED_CLASS_NAMES: dict[str, str] = {
    "Database": "tablature's public API keeps its names, and it never imports almanac",
    "InputError": "the same",
    "Page": "the same",
    "Retryable": "the same",
    "Unavailable": "the same",
    "Invoice": "the name of the stored entity is part of the keys that keep invoice numbers unique",
}
VAGUE_VARIABLES = {"found", "known", "one", "ones", "said", "thing", "told"}


def test_modules_are_nouns_or_roles(modules):
    gerunds = {
        name
        for name in modules
        if any(part.endswith("ing") and part.split("_")[-1] not in NOUNS for part in name.split("."))
    }
    assert gerunds == set()


def test_a_class_name_means_one_class(modules):
    homes = defaultdict(list)
    for name, module in modules.items():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(name)
    shared = {name: places for name, places in homes.items() if len(places) > 1 and name not in SHARED_CLASS_NAMES}
    assert shared == {}
    assert set(SHARED_CLASS_NAMES) <= {name for name, places in homes.items() if len(places) > 1}


def test_variables_name_the_thing(modules, root):
    texts = {name: module.nodes for name, module in modules.items()}
    for path in sorted((root / "tests").rglob("*.py")):
        texts[str(path.relative_to(root))] = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    vague = [f"{name}:{line} {word}" for name, nodes in texts.items() for word, line in bound_names(nodes)]
    assert vague == []


def bound_names(nodes):
    """Vague names that are assigned, looped over or taken as parameters, with the line of each.

    Fields of classes aren't variables: their names are part of stored data and of the API.
    """
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    fields = {id(line.target) for node in classes for line in node.body if isinstance(line, ast.AnnAssign)}
    for node in nodes:
        if id(node) in fields:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE_VARIABLES:
            yield node.id, node.lineno
        elif isinstance(node, ast.arg) and node.arg in VAGUE_VARIABLES:
            yield node.arg, node.lineno


def test_the_search_for_vague_names_finds_them():
    nodes = list(
        ast.walk(ast.parse("def f(one):\n    for found in one:\n        told: int = found\nclass C:\n    known: int"))
    )
    assert sorted(bound_names(nodes)) == [("found", 2), ("one", 1), ("told", 3)]


def test_no_name_is_vague(modules):
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "handler", "processor"}
    assert [name for name in modules if vague & set(name.split("."))] == []
