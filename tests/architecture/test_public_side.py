"""The public side can't reach what it must not: no accounts, sessions, services or jobs, no statement but reads."""

import re

import pytest

from almanac.desks import DESKS
from almanac.public.form_door import TRAP

# What its modules may import of ours, besides themselves; a desk's room may also use its desk.
ALLOWED = {
    "almanac",
    "almanac.citations.passages",
    "almanac.errors",
    "almanac.feeds",
    "almanac.kit",
    "almanac.language",
    "almanac.pdf",
    "almanac.public",
    "almanac.read_ports",
    "almanac.relational",
    "almanac.search",
    "almanac.subscribers.links",
    "tablature.kept_reads",
}
ROOMS_OF_A_DESK = ("formats", "model", "published", "service", "store", "urls")
WRITES = re.compile(
    r"\b(INSERT|UPDATE|DELETE|TRUNCATE|LOCK|CREATE|ALTER|DROP|NOTIFY)\b|FOR (UPDATE|SHARE)", re.IGNORECASE
)


def is_public(module):
    return module.startswith("almanac.public") or ".published" in module


def is_allowed(module, target):
    if any(f"{target}.".startswith(f"{name}.") for name in ALLOWED - {"almanac"}) or target == "almanac":
        return True
    desk = module.split(".")[:3] if module.startswith("almanac.desks.") else None
    here = target.split(".")
    return desk is not None and here[:3] == desk and here[3:4] != [] and here[3] in ROOMS_OF_A_DESK


def test_it_imports_nothing_that_knows_people(edges):
    public = {module: targets for module, targets in edges.items() if is_public(module)}
    assert len(public) > 10
    wrong = [f"{module} imports {target}" for module, targets in public.items() for target in targets]
    wrong = [line for line in wrong if not is_allowed(line.split()[0], line.split()[2])]
    assert wrong == []


@pytest.mark.parametrize("name", ["Principal", "Services", "Unit", "cookies"])
def test_it_never_names_who_could_write(modules, name):
    named = re.compile(rf"\b{name}\b")
    texts = {module: parsed.path.read_text("utf-8") for module, parsed in modules.items() if is_public(module)}
    code = {module: re.sub(r'"""[\s\S]*?"""|#.*', "", text) for module, text in texts.items()}
    assert [module for module, text in code.items() if named.search(text)] == []


def test_its_statements_only_read(root):
    files = [*root.glob("src/almanac/public/**/*.sql"), *root.glob("src/almanac/desks/*/published/**/*.sql")]
    assert files
    wrong = {
        str(file.relative_to(root)): WRITES.findall(re.sub(r"--.*", "", file.read_text("utf-8"))) for file in files
    }
    assert not any(wrong.values()), wrong


def test_a_statement_that_writes_is_recognised():
    assert WRITES.search("WITH gone AS (DELETE FROM x RETURNING y) SELECT y FROM gone")
    assert not WRITES.search("SELECT updated_at FROM x WHERE deleted IS NULL")


def test_forms_are_taken_by_verbs_of_the_private_side(edges):
    """A desk's `intake` may write; the public side never imports it and is handed each of its verbs, bound, by name."""
    wrong = [
        f"{module} imports {target}"
        for module, targets in edges.items()
        for target in targets
        if is_public(module) and ".intake" in target
    ]
    assert wrong == []
    for desk in DESKS:
        forms = desk.public_part.forms if desk.public_part else ()
        assert set(desk.form_receivers) == {form.name for form in forms}, desk.name


def test_every_form_has_a_page_of_its_own_and_limits():
    parts = [part for desk in DESKS if (part := desk.public_part) is not None]
    for part in parts:
        pages = {route.path for route in part.routes if not route.is_costly}
        for form in part.forms:
            assert form.path in pages, form.name
            assert form.name.startswith(f"{part.name}.")
            assert form.per_hour or "{" in form.path, f"{form.name} has neither a limit nor a signature in its path"
            assert all(0 < field.most <= 5000 and field.name != TRAP for field in form.fields), form.name
