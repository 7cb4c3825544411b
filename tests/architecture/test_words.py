"""Words people read, in templates, messages, mails and commands: plain English, none of the retired words.

The words to use are in docs/reference/glossary.md.
"""

import ast
import re

import pytest

RETIRED = {
    r"anew": "again",
    r"whom": "who, or name the person",
    r"told of": "say what is sent to whom: “notified”, “gets events”",
    r"brought": "imported, added",
    r"(?<!there )(?:is|are) no (?!longer|more|other)": "isn't a …",
    r"no such": "say what is missing: “There is no draft with this id.”",
    r"begun": "started, created",
    r"as it stands": "as it is now",
    r"takes? away": "export, remove",
    r"look what": "preview",
    r"bring it": "import",
    r"on the clocks": "times in …",
    r"to settle before": "fix before …",
    r"another rhythm": "advanced schedule",
    r"know my way": "skip the tour",
    r"came first": "say what happened",
    r"didn't make sense": "say what is wrong beside the field",
    r"known by": "known as",
    r"why it is failed": "why it failed",
    r"standing order": "set to never remind",
    r"must ask again": "review it again",
    r"meets? the goal": "you kept it",
    r"so small (?:a )?unit|such small unit": "amounts have two decimals",
}
PATTERN = re.compile(rf"\b(?:{'|'.join(RETIRED)})\b", re.IGNORECASE)
# Sentences for people: capital first, at least three words. Docstrings of API routes are shown in the reference.
SENTENCE = re.compile(r"^\W*[A-Z“‘](?:\S*\s+){2,}\S", re.DOTALL)


def retired_words(text):
    return [match[0] for match in PATTERN.finditer(text)]


@pytest.fixture(scope="module")
def templates(root):
    paths = [path for path in (root / "src").rglob("templates/**/*") if path.suffix in {".html", ".txt"}]
    return {path.relative_to(root).as_posix(): visible(path.read_text("utf-8")) for path in paths}


def visible(template):
    """What a template shows: no comments, statements or names in tags, but texts that it passes on."""
    text = re.sub(r"{#.*?#}", " ", template, flags=re.DOTALL)
    quoted = " ".join(re.findall(r'"([^"{}<>]*\s[^"{}<>]*)"', text))
    return re.sub(r"{[{%].*?[%}]}|<[^>]*>", " ", text, flags=re.DOTALL) + " " + quoted


def test_templates_use_no_retired_words(templates):
    assert {name: words for name, text in templates.items() if (words := retired_words(text))} == {}


def test_messages_use_no_retired_words(modules):
    wrong = [
        f"{name}:{node.lineno} {words}: {text[:100]}"
        for name, module in modules.items()
        if name.startswith("almanac.") and ".demo" not in name
        for node, text in sentences(module)
        if (words := retired_words(text))
    ]
    assert wrong == []


def sentences(module):
    """Texts of a module that a person may read; docstrings and comments are for engineers."""
    docstrings = {
        id(node.body[0].value)
        for node in module.nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if SENTENCE.match(node.value):
                yield node, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "x" for part in node.values]
            text = "".join(str(part) for part in parts)
            if SENTENCE.match(text):
                yield node, text


def test_the_search_for_retired_words_finds_them():
    assert retired_words("'x' is no date; write it anew.") == ["is no ", "anew"]
    assert retired_words("It is no longer there; there is no draft.") == []
