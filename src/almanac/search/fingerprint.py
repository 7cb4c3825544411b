"""Fingerprints of the code that makes index entries: one for each kind of document.

It changes with the provider of a kind, with how text becomes terms, and with the stemmer. Comments and docstrings don't
change it: they change no entry.
"""

import ast
import hashlib
import inspect
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import version

from almanac.search.port import DocumentProvider

_TERM_MODULES = (
    "almanac.search.terms",
    "almanac.language.terms",
    "almanac.language.scripts",
    "almanac.language.spellings",
)
_STEMMER = "snowballstemmer"
_LENGTH = 16


def fingerprint_provider(provider: DocumentProvider) -> str:
    """The fingerprint of the code that indexes the documents of this provider."""
    parts = (fingerprint_terms(), _fingerprint_module(type(provider).__module__), provider.kind.name)
    return _digest("\n".join(parts))


@cache
def fingerprint_terms() -> str:
    """The fingerprint of the code that turns text into terms, for documents of every kind."""
    return _digest("\n".join([*map(_fingerprint_module, _TERM_MODULES), version(_STEMMER)]))


@cache
def _fingerprint_module(name: str) -> str:
    module = sys.modules.get(name) or import_module(name)
    return fingerprint_source(inspect.getsource(module))


def fingerprint_source(source: str) -> str:
    """The fingerprint of a module's code, without its comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [part for part in node.body if not _is_docstring(part)] or [ast.Pass()]
    return _digest(ast.dump(tree))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]
