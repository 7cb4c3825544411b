"""Texts for people can be translated: none stands bare in a template, in an error, or in the code of pages."""

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from jinja2 import Environment, nodes
from tests.architecture.conftest import SOURCE, Module, _modules

LETTERS = re.compile(r"[^\W\d_]{2,}")
# The names of products and formats, units and keys are the same in every language.
SAME_EVERYWHERE = re.compile(
    r"\b(?:Almanac|API|CSV|JSON|PDF|HTML|RSS|Atom|OIDC|TOTP|SMTP|SES|PostgreSQL|DynamoDB|GB|MB|KB|ms|min|Esc|Ctrl|Enter|"
    r"Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Mac OS|Mac|Linux|Location|Forwarded|Via|Vary|"
    r"Shift|Tab|https?|www|xlsx|docx|Excel|Word|Markdown|QR|IP|ID|URL|UTC|OpenAPI|ETag|ntfy|Apprise|cron)\b"
)
PROSE = re.compile(r"[A-Z][a-z']+( |$|[.,:;?!…])|[A-Za-z']+ [a-z']+ [a-z']+")
# A block of a template may hold attributes of the element around it.
ATTRIBUTE = re.compile(r"""[\w-]+=["']""")
TEXT_ATTRIBUTES = {"placeholder", "aria-label", "title", "alt", "label", "aria-description"}
NOT_READ = {"script", "style", "code", "kbd", "pre", "samp"}
# Calls whose texts are for programmers and for the description of the API.
NOT_SHOWN = (
    "log.",
    "_log.",
    "re.",
    "cast",
    "TypeError",
    "RuntimeError",
    "ValueError",
    "OSError",
    "ModuleNotFoundError",
    "AssertionError",
    "Header",
    "Query",
    "Path(",
    "Field",
    "Doc",
)
PAGE_CODE = (
    "http/",
    "web/pages/",
    "web/labels",
    "web/home_content",
    "web/page_finder",
    "web/rights_forms",
    "web/setup_summary",
    "web/tour",
)
MARKERS = {"_", "gettext", "ngettext", "pgettext"}
# Folders whose texts are still bare.
BARE: tuple[str, ...] = (
    "notifications",
    "public",
    "read_ports.py",
)
# Development pages, examples for programs, and what only the command line and its logs show, are in English.
NOT_FOR_READERS = (
    "web/templates/styleguide.html",
    "web/pages/styleguide.py",
    "web/pages/reference.py",
    "bootstrap/",
    "cli/",
    "config/",
    "demo/",
    "doctor.py",
    "relational/",
    "tables.py",
    "terminal.py",
)

COMMANDS_OR_DEMO = re.compile(r"desks/\w+/(commands|demo)/")


class BareTexts(HTMLParser):
    """Collects the words of a template that stand outside of `_()` and `{% trans %}`."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped += tag in NOT_READ
        self.texts += [value for name, value in attrs if name in TEXT_ATTRIBUTES and value and _is_bare(value)]

    def handle_endtag(self, tag: str) -> None:
        self._skipped -= tag in NOT_READ and self._skipped > 0

    def handle_data(self, data: str) -> None:
        if not self._skipped and _is_bare(data):
            self.texts.append(" ".join(data.split()))


def _is_bare(text: str) -> bool:
    if ATTRIBUTE.search(text) or text.strip().startswith("/"):
        return False
    return bool(LETTERS.search(SAME_EVERYWHERE.sub("", re.sub(r"&\w+;", "", text))))


def bare_in_template(text: str) -> list[str]:
    environment = Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do"])
    html, inside, words = [], 0, []
    for _, kind, value in environment.lex(text):
        if kind == "name" and words and words[-1] == "{%":
            inside += {"trans": 1, "endtrans": -1}.get(value, 0)
        if kind in ("block_begin", "name"):
            words.append("{%" if kind == "block_begin" else value)
        if kind == "variable_begin" and "".join(html[-1:]).endswith(("<", "</")):
            html.append("x")  # the name of an element that is a variable
        elif kind == "data":
            html.append("" if inside else value)
        else:
            html.append(" " if kind == "block_begin" else "")
    parser = BareTexts()
    parser.feed("".join(html))
    parser.close()
    return parser.texts + list(_bare_constants(environment.parse(text)))


def _bare_constants(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in MARKERS:
        for keyword in node.kwargs:
            yield from _bare_constants(keyword)
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        if PROSE.match(node.value) and _is_bare(node.value):
            yield node.value
        return
    for child in node.iter_child_nodes():
        yield from _bare_constants(child)


def bare_in_code(module: Module) -> list[str]:
    """Errors everywhere; in the code of pages any text that reads like prose."""
    path = module.path.relative_to(SOURCE / "almanac").as_posix()
    for_pages = "/pages/" in path or path.startswith(PAGE_CODE) or path.endswith("/day.py")
    scopes = module.tree.body if for_pages else [node for node in module.nodes if isinstance(node, ast.Raise)]
    return [text for scope in scopes for text in _bare_strings(scope)]


def _bare_strings(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKERS:
        for keyword in node.keywords:
            yield from _bare_strings(keyword.value)
    elif isinstance(node, ast.AnnAssign):
        yield from _bare_strings(node.value) if node.value else ()
    elif isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        if PROSE.search(text):
            yield text
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and PROSE.match(node.value) and _is_bare(node.value):
            yield node.value
    elif not _is_for_programs(node):
        for child in ast.iter_child_nodes(node):
            yield from _bare_strings(child)


def _is_for_programs(node: ast.AST) -> bool:
    """Docstrings, annotations, log lines, headers, and what describes the API."""
    if isinstance(node, ast.Call):
        function = ast.unparse(node.func)
        return function.startswith(NOT_SHOWN) or function.endswith(("headers.get", "headers.setdefault"))
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value).endswith("headers")
    if isinstance(node, ast.keyword):
        return node.arg == "noun"
    return isinstance(node, ast.arg) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def bare_texts() -> Iterator[str]:
    almanac = SOURCE / "almanac"
    for path in sorted([*almanac.rglob("templates/**/*.html"), *almanac.rglob("templates/**/*.txt")]):
        for text in bare_in_template(path.read_text("utf-8")):
            yield f"{path.relative_to(almanac)}: {text}"
    for module in _modules().values():
        if module.path.is_relative_to(almanac):
            for text in bare_in_code(module):
                yield f"{module.path.relative_to(almanac)}: {text}"


def test_no_text_is_bare():
    done = [
        line
        for line in bare_texts()
        if not line.startswith((*BARE, *NOT_FOR_READERS)) and not COMMANDS_OR_DEMO.match(line)
    ]
    assert done == []


@pytest.mark.parametrize(
    ("template", "bare"),
    [
        ("<p>Nothing here yet.</p>", ["Nothing here yet."]),
        ('<p>{{ _("Nothing here yet.") }}</p>', []),
        ("{% trans name=x %}Hello {{ name }}{% endtrans %}", []),
        ('<input placeholder="Type here">', ["Type here"]),
        ('{{ ui.button("Save") }}', ["Save"]),
        ('{{ ui.button(_("Save"), kind="primary") }}', []),
        ("<code>make run</code> 12 MB", []),
    ],
)
def test_bare_texts_of_a_template_are_noticed(template, bare):
    assert bare_in_template(template) == bare


def test_json_is_written_where_texts_for_people_are_known():
    raw = re.compile(r"msgspec\.(?:json\.encode|to_builtins)\((?![^\n]*enc_hook)")
    others = [
        module.name
        for module in _modules().values()
        if module.name.startswith("almanac.") and module.name != "almanac.kit.json_text" and raw.search(module.text)
    ]
    assert others == []


if __name__ == "__main__":
    print("\n".join(line for line in bare_texts() if line.startswith(tuple(sys.argv[1:]) or "")))
