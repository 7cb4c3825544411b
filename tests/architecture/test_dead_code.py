"""No dead code: every statement, template, CSS class, setting and definition is used by the product itself.

Tests don't count as users.

Names that are put together at run time count where a text with their fixed parts stands: `badge-{{ tone }}` uses
every class that begins with `badge-`.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

WORD = re.compile(r"[A-Za-z_][\w-]*")
# The news desk's contract gives these statements to programs that share its tables; a test runs them.
FOR_OTHERS = "documented_"
# Each is asked for by the name of an operation, or is what a library calls.
BY_CONVENTION = re.compile(r"\w+Input|_?[A-Z]|main")


# What the product ships but doesn't call itself, each with who does.
SHIPPED_FOR_OTHERS = {
    "almanac.approvals.memory.MemoryApprovals": "the port's fake, which passes the contract suite",
    "almanac.accounts.memory.MemoryPrincipals": "the port's fake",
    "almanac.accounts.memory.MemoryLinkSender": "the port's fake",
    "almanac.llm.fake.HashedEmbedder": "the port's fake",
    "almanac.tables.MODULES": "docs/generate.py and `tablature lint` read the tables by it",
    "almanac.desks.newsletter.store.db_client.DbClient": "programs that share the newsletter table",
}


@pytest.fixture(scope="module")
def texts(root) -> dict[Path, str]:
    kinds = {".py", ".html", ".txt", ".js", ".css", ".sql", ".toml", ".md"}
    places = [path for place in ("src", "tests") for path in (root / place).rglob("*") if path.suffix in kinds]
    return {path: path.read_text("utf-8") for path in places if "vendor" not in path.parts and path.is_file()}


@pytest.fixture(scope="module")
def strings(modules) -> dict[str, set[str]]:
    """For each module the texts in it, and patterns of those that are put together."""
    results: dict[str, set[str]] = {}
    for name, module in modules.items():
        results[name] = set()
        for node in module.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                results[name].add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                results[name].add(pattern_of(node))
    return results


def pattern_of(node: ast.JoinedStr) -> str:
    return "".join(
        re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else ".*"
        for part in node.values
    )


def test_every_statement_is_used(texts, strings):
    unused: list[str] = []
    for path in (path for path in texts if path.name == "queries.sql"):
        package = ".".join(path.parent.parts[path.parent.parts.index("src") + 1 :])
        part = ".".join(package.split(".")[: 3 if ".desks." in package else 2])
        patterns = {item for name, results in strings.items() if f"{name}.".startswith(f"{part}.") for item in results}
        used = re.compile(
            "|".join(pattern for pattern in patterns if re.search("[a-z]{3}", pattern) and len(pattern) < 80)
        )
        named = re.findall(r"^-- name: *(\w+)", texts[path], re.MULTILINE)
        unused += [name for name in named if not name.startswith(FOR_OTHERS) and not used.fullmatch(name)]
    assert not unused


def test_every_template_is_rendered(texts):
    words = {
        path: set(re.findall(r"[\w-]+", text))
        for path, text in texts.items()
        if path.suffix in {".py", ".html"} and "src" in path.parts
    }
    unused = []
    for path in (path for path in texts if "templates" in path.parts and "src" in path.parts):
        # A mail is a folder with a subject and two bodies.
        name = path.parent.name if path.stem in {"subject", "body"} else path.stem
        if not any(name in statements for other, statements in words.items() if other != path):
            unused.append(str(path))
    assert not unused


def test_every_class_of_a_style_sheet_is_worn(texts):
    kinds = {".py", ".html", ".js"}
    wearers = "\n".join(text for path, text in texts.items() if path.suffix in kinds and "src" in path.parts)
    words = set(WORD.findall(wearers))
    beginnings = tuple(set(re.findall(r"""([A-Za-z][\w-]*-)(?:\{|\$\{|["'] ~)""", wearers)))
    unworn: list[str] = []
    for path in (path for path in texts if path.suffix == ".css"):
        rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", texts[path], flags=re.DOTALL)
        classes = set(re.findall(r"\.([A-Za-z][\w-]*)", rules))
        unworn += [name for name in classes - words if not name.startswith(beginnings)]
    assert not unworn


def test_every_setting_is_read(root, texts):
    settings = root / "src/almanac/config/settings.py"
    readers = "\n".join(text for path, text in texts.items() if path.suffix == ".py" and "src" in path.parts)
    names = re.findall(r"^    (\w+): .*= setting\(", texts[settings], re.MULTILINE)
    assert names
    assert not [name for name in names if not re.search(rf"\.{name}\b", readers)]


def test_every_definition_is_used_by_the_product(modules, texts):
    uses = Counter(
        word for path, text in texts.items() if "src" in path.parts for word in re.findall(r"[A-Za-z_]\w*", text)
    )
    unused = {
        f"{module_name}.{name}"
        for module_name, module in modules.items()
        for name in defined(module.tree)
        if uses[name] == 1 and not BY_CONVENTION.fullmatch(name)
    }
    assert unused - set(SHIPPED_FOR_OTHERS) == set()
    assert set(SHIPPED_FOR_OTHERS) <= unused


def defined(tree: ast.Module) -> list[str]:
    """What a module defines at its top; a decorated function is used by what decorates it."""
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.decorator_list:
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return names
