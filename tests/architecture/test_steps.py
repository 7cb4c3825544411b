"""Every writing step of the repository is strict: all fields of its output are required, and unknown ones refused."""

import ast
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from pydantic import ValidationError

from almanac.bootstrap import STEPS
from almanac.llm.answer import StepAnswer
from almanac.llm.port import WritingStep
from almanac.llm.sources import SourceAliases, build_output_schema
from almanac.llm.web_search import WEB_SEARCH

# What a server, a gateway in between or a model that gives up says instead of an answer.
NO_ANSWERS = [
    {"error": "over capacity"},
    {"error": {"message": "no", "code": 500}},
    {"refusal": "I can't."},
    {},
    [],
    "",
]
ALIASES = SourceAliases(("a", "b"), (3, 3))


@pytest.fixture(scope="module")
def steps(modules) -> dict[str, WritingStep[Any, Any]]:
    """Every step that any module defines."""
    collected: dict[str, WritingStep[Any, Any]] = {}
    for name, module in modules.items():
        calls = (node.value for node in module.tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
        if any(isinstance(call, ast.Call) and ast.unparse(call.func) == "WritingStep" for call in calls):
            values = vars(import_module(name)).values()
            collected |= {value.name: value for value in values if isinstance(value, WritingStep)}
    return collected


@pytest.fixture(params=sorted(set(STEPS) - {WEB_SEARCH}))
def step(request, steps) -> WritingStep[Any, Any]:
    return steps[request.param]


def objects_in(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "the answer", schema
    yield from schema.get("$defs", {}).items()


def test_the_steps_are_those_that_settings_may_name(steps):
    assert set(steps) == set(STEPS) - {WEB_SEARCH}


def test_every_field_is_required_and_no_other_is_allowed(step):
    for name, schema in objects_in(build_output_schema(step.output)):
        if schema.get("type") == "object":
            assert schema.get("additionalProperties") is False, f"{name} accepts unknown fields."
            assert set(schema.get("required", ())) == set(schema["properties"]), f"{name} has fields with a default."


@pytest.mark.parametrize("text", [json.dumps(body) for body in NO_ANSWERS])
def test_an_error_is_no_answer(step, text):
    with pytest.raises(ValidationError):
        step.output.model_validate_json(text, context=ALIASES)


def test_the_output_is_a_step_answer(step):
    assert issubclass(step.output, StepAnswer)
