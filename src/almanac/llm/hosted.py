"""Models that somebody hosts, asked through pydantic-ai: OpenAI and what speaks like it, Anthropic, Google, Bedrock.

Loading this module loads pydantic-ai, which takes a second; bootstrap has it loaded when a model is first asked.
"""

import logging
from decimal import Decimal
from typing import Literal

from pydantic_ai import exceptions as theirs
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from almanac.llm.choices import Model
from almanac.llm.connections import connect
from almanac.llm.provider import Answer, Correction, Question
from almanac.llm.provider_errors import translated

OutputForm = Literal["auto", "tool", "schema", "prompt"]
_MODES: dict[OutputForm, Literal["auto", "tool", "native", "prompted"]] = {
    "auto": "auto",
    "tool": "tool",
    "schema": "native",
    "prompt": "prompted",
}
_TOOL = "answer"
_AGAIN = "That answer can't be used. Answer again, complete, with these mistakes corrected:\n"
_TALKATIVE = ("openai", "anthropic", "google_genai", "botocore", "boto3", "httpx", "httpx2", "httpcore", "urllib3")

# At the level of debugging these write whole requests, and with them the sources, into the log.
for _name in _TALKATIVE:
    logging.getLogger(_name).setLevel(logging.WARNING)


class HostedModel:
    """One model at its provider."""

    def __init__(self, model: Model, output: OutputForm, seconds: float) -> None:
        self._name = str(model)
        self._priced_by_list = model.base_url is None
        self._output = output
        self._model = connect(model, seconds)

    async def ask(self, question: Question, correction: Correction | None = None) -> Answer:
        messages: list[ModelMessage] = [
            ModelRequest(parts=[UserPromptPart(content=question.sources)], instructions=question.instructions)
        ]
        if correction is not None:
            messages += _corrected(correction, question.instructions)
        try:
            response = await self._model.request(messages, None, self._parameters(question))
        except (theirs.AgentRunError, theirs.UserError) as error:
            raise translated(self._name, error) from None
        return self._answer(response)

    async def close(self) -> None:
        """Close the connections: their models do that when they are left."""
        async with self._model:
            return

    def _parameters(self, question: Question) -> ModelRequestParameters:
        schema = dict(question.schema)
        return ModelRequestParameters(
            output_mode=_MODES[self._output],
            output_tools=[ToolDefinition(name=_TOOL, parameters_json_schema=schema, description="The whole answer.")],
            output_object=OutputObjectDefinition(json_schema=schema, name=_TOOL),
            allow_text_output=self._output in ("schema", "prompt"),
        )

    def _answer(self, response: ModelResponse) -> Answer:
        return Answer(
            text=_said(response),
            refused=response.finish_reason == "content_filter",
            cut_off=response.finish_reason == "length",
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost=list_price(response) if self._priced_by_list else None,
            turn=response,
        )


def open_model(model: Model, output: OutputForm, seconds: float) -> HostedModel:
    """Make ready to ask a model; nothing is sent yet."""
    return HostedModel(model, output, seconds)


def _said(response: ModelResponse) -> str:
    """The JSON of the answer: the arguments of the tool, or else the text without the fence some models put around."""
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            return part.args_as_json_str()
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart)).strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("```")[0].strip()
    return text


def _corrected(correction: Correction, instructions: str) -> list[ModelMessage]:
    """The wrong answer as the model gave it, and what is wrong with it; every tool call gets its return."""
    response = correction.answer.turn
    assert isinstance(response, ModelResponse)
    told = _AGAIN + correction.wrong
    returns: list[ModelRequestPart] = [
        ToolReturnPart(tool_name=part.tool_name, content=told, tool_call_id=part.tool_call_id, outcome="retried")
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    return [response, ModelRequest(parts=returns or [UserPromptPart(content=told)], instructions=instructions)]


def list_price(response: ModelResponse) -> Decimal | None:
    """What the price list that comes with the library says; not every model is on it."""
    try:
        return response.cost().total_price
    except (LookupError, ValueError, AssertionError):
        return None
