"""The documents are true about the tree: paths exist, shown code is taken from its file, versions agree."""

import re
import subprocess
import sys
import tomllib

import pytest

PATH = re.compile(r"(?<![\w./-])((?:src|tests|docs|deploy)/[\w./-]*\w)")
TEST_FILE = re.compile(r"(?<![\w/])(test_\w+\.py)")
# ```python src/almanac/…  or  ```jinja src/almanac/… : the block shows part of that file; a line of … leaves lines out.
SHOWN = re.compile(r"^( *)```\w+ (src/\S+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def pages(root):
    paths = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in paths if path.name != "CHANGELOG.md"}


def test_every_path_that_a_page_names_exists(pages, root):
    missing = [
        f"{page}: {path}"
        for page, text in pages.items()
        for path in PATH.findall(text)
        if not (root / path).exists() and not (root / page).parent.joinpath(path).exists()
    ]
    assert missing == []


def test_every_test_file_that_a_page_names_exists(pages, root):
    names = {path.name for path in (root / "tests").rglob("test_*.py")}
    missing = [f"{page}: {name}" for page, text in pages.items() for name in TEST_FILE.findall(text)]
    assert [line for line in missing if line.rpartition(" ")[2] not in names] == []


def test_code_that_a_page_shows_is_taken_from_its_file(pages, root):
    shown = [(page, *block) for page, text in pages.items() for block in SHOWN.findall(text)]
    assert {page for page, *_ in shown} >= {"docs/how-to/add-a-page.md", "docs/how-to/add-a-job.md"}
    for page, indent, path, block in shown:
        source = squeezed((root / path).read_text("utf-8"))
        lines = "\n".join(line.removeprefix(indent) for line in block.splitlines())
        for part in re.split(r"^ *…\n?", lines, flags=re.MULTILINE):
            assert squeezed(part) in source, f"{page} shows what isn't in {path}:\n{part}"


def squeezed(text):
    """Text without differences of indentation and line ends."""
    return " ".join(text.split())


def test_every_decision_names_what_enforces_it(pages):
    silent = [page for page, text in pages.items() if page.startswith("docs/adr/") and "Enforced by" not in text]
    assert silent == []


def test_the_package_the_command_and_the_changelog_agree_on_the_version(root):
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    printed = subprocess.run(
        [sys.executable, "-m", "almanac", "--version"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert printed.strip() == f"Almanac {declared}"
    sections = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert sections[1] == declared
