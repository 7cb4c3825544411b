"""The public side can't reach what it must not: no accounts, sessions, services or jobs, no statement but reads."""

import re

import pytest

# What its modules may import of ours, besides themselves; a desk's room may also use its desk.
ALLOWED = {
    "almanac",
    "almanac.citations.passages",
    "almanac.errors",
    "almanac.feeds",
    "almanac.kit",
    "almanac.language",
    "almanac.public",
    "almanac.read_ports",
    "almanac.relational",
    "almanac.search",
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
