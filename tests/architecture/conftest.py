"""The source tree as data: every module of ours with its parsed text, for the tests that check how it is built."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"


@dataclass(frozen=True)
class Module:
    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree: walking it takes longer than parsing it, and several tests look at all of them."""
        return list(ast.walk(self.tree))

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    def imported(self) -> list[tuple[str, int]]:
        """Dotted names this module imports, with the line; relative ones are resolved."""
        names: list[tuple[str, int]] = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                names += [(alias.name, node.lineno) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                names += [(f"{base}.{alias.name}" if base else alias.name, node.lineno) for alias in node.names]
        return names

    def _base(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        parts = parts[: len(parts) - node.level + (1 if self.is_package else 0)]
        return ".".join([*parts, node.module] if node.module else parts)


def _modules() -> dict[str, Module]:
    modules = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, path)
    return modules


MODULES = _modules()


@pytest.fixture(scope="session")
def modules() -> dict[str, Module]:
    return MODULES


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def edges() -> dict[str, set[str]]:
    """For each module of ours, the modules of ours that it imports."""

    def target(dotted: str) -> str | None:
        while dotted:
            if dotted in MODULES:
                return dotted
            dotted = dotted.rpartition(".")[0]
        return None

    return {
        name: {imported for dotted, _ in module.imported() if (imported := target(dotted)) and imported != name}
        for name, module in MODULES.items()
    }
