"""Templates mean the same with our shorter runtime as with Jinja's own."""

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, pass_context
from jinja2.exceptions import UndefinedError
from jinja2.runtime import Context
from markupsafe import Markup

from almanac.http.template_runtime import QuickContext, QuickTemplate, output_text

HOSTILE = "<script>alert('&\"')</script>"


class Safe:
    """Something that knows its own HTML."""

    def __html__(self) -> str:
        return "<b>bold</b>"

    def __str__(self) -> str:
        return "bold"


class Hostile:
    """Something whose text holds HTML."""

    def __str__(self) -> str:
        return HOSTILE


class HostileText(str):
    """Text of a kind of its own, which is as unsafe as any."""

    __slots__ = ()


@pass_context
def path_of(context: Context, suffix: str) -> str:
    return f"{context['path']}{suffix}"


class Shout:
    """Something that is called like a function."""

    def __call__(self, text: str, *, sign: str = "!") -> str:
        return f"{text}{sign}"


class Place:
    """Something that is called like a function, and asks where."""

    @pass_context
    def __call__(self, context: Context, suffix: str) -> str:
        return path_of(context, suffix)


TEMPLATES = {
    "base.html": "<title>{% block title %}{% endblock %}</title>{% block body %}{% endblock %}"
    "{% block foot %}<b>{{ path }}</b>{% block inner %}x{% endblock %}{% endblock %}",
    "parts.html": "{% macro tag(text, kind='plain') %}<i class='{{ kind }}'>{{ text }}</i>{% endmacro %}"
    "{% macro box() %}<div>{{ caller() }}</div>{% endmacro %}",
    "page.html": "{% extends 'base.html' %}{% from 'parts.html' import tag, box %}"
    "{% block title %}{{ path_of('!') }}{% endblock %}"
    "{% block body %}{% for value in values %}{{ tag(value, kind=loop.index ~ value) }}{{ value }}{% endfor %}"
    "{% call box() %}{{ path }}{{ ', '.join(['a', path]) }}{% endcall %}{% set kept %}{{ path }}{% endset %}{{ kept }}"
    "{{ ('<i>' | safe) ~ path }}{{ path | upper | escape }}{{ count + 1 }}{{ none }}"
    "{{ shout(path, sign='<') }}{{ place('?') }}{% endblock %}"
    "{% block foot %}{{ super() }}{{ self.title() }}{% include 'part.html' %}{% endblock %}"
    "{% block inner %}{{ super() }}y{% endblock %}",
    "part.html": "<p>{{ path }}</p>{% block own %}z{% endblock %}",
}


def rendered(*, quick: bool) -> str:
    environment = Environment(loader=DictLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    if quick:
        environment.context_class, environment.template_class = QuickContext, QuickTemplate
    environment.globals.update(path_of=path_of, shout=Shout(), place=Place())
    values = [HOSTILE, Markup("<u>"), Safe(), Hostile(), HostileText(HOSTILE), 3, 2.5, None, True]
    return environment.get_template("page.html").render(path=f"/a{HOSTILE}", values=values, count=1)


def test_a_page_is_the_same_as_with_jinjas_own_runtime() -> None:
    assert rendered(quick=True) == rendered(quick=False)


def test_what_people_wrote_is_escaped_everywhere() -> None:
    assert "<script" not in rendered(quick=True)


@pytest.mark.parametrize("value", [HOSTILE, Hostile(), HostileText(HOSTILE)])
def test_text_is_escaped(value: object) -> None:
    assert output_text(value) == "&lt;script&gt;alert(&#39;&amp;&#34;&#39;)&lt;/script&gt;"


def test_safe_text_stays_as_it_is() -> None:
    assert output_text(Safe()) == "<b>bold</b>"
    assert output_text(Markup("<u>")) == "<u>"


def test_a_missing_name_is_still_an_error() -> None:
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.context_class, environment.template_class = QuickContext, QuickTemplate
    with pytest.raises(UndefinedError, match="title"):
        environment.from_string("{{ title }}").render()
