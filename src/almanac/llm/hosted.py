"""Hosted models and web search through pydantic-ai: OpenAI and compatible servers, Anthropic, Google, Bedrock.

Importing this module takes a second, because it loads pydantic-ai; bootstrap imports it when a model is first asked.
Errors of pydantic-ai become ours, without their text, which may quote what was sent.
"""

import logging
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Literal

from pydantic_ai import exceptions as theirs
from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    NativeToolReturnPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.native_tools import WebSearchTool
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from almanac.kit.messages import gettext
from almanac.llm.connections import connect, connect_for_search
from almanac.llm.errors import (
    ModelFailure,
    ModelRateLimited,
    ModelRefused,
    ModelUnavailable,
    ModelUnusable,
    TooLongForModel,
)
from almanac.llm.model_config import ModelEndpoint
from almanac.llm.provider import AnswerCorrection, ModelAnswer, ModelQuestion
from almanac.llm.web_search import WebSearchPage, WebSearchResult

OutputForm = Literal["auto", "tool", "schema", "prompt"]
_MODES: dict[OutputForm, Literal["auto", "tool", "native", "prompted"]] = {
    "auto": "auto",
    "tool": "tool",
    "schema": "native",
    "prompt": "prompted",
}
_TOOL = "answer"
_RETRY_PROMPT = "That answer can't be used. Answer again, complete, with these mistakes corrected:\n"
_VERBOSE_LOGGERS = (
    "openai",
    "anthropic",
    "google_genai",
    "botocore",
    "boto3",
    "httpx",
    "httpx2",
    "httpcore",
    "urllib3",
)

# At the level of debugging these write whole requests, and with them the sources, into the log.
for _name in _VERBOSE_LOGGERS:
    logging.getLogger(_name).setLevel(logging.WARNING)


class HostedModel:
    """One model at its provider."""

    def __init__(self, model: ModelEndpoint, output: OutputForm, seconds: float) -> None:
        self._name = str(model)
        self._priced_by_list = model.base_url is None
        self._output = output
        self._model = connect(model, seconds)

    async def ask(self, question: ModelQuestion, correction: AnswerCorrection | None = None) -> ModelAnswer:
        messages: list[ModelMessage] = [
            ModelRequest(parts=[UserPromptPart(content=question.sources)], instructions=question.instructions)
        ]
        if correction is not None:
            messages += _correction_messages(correction, question.instructions)
        try:
            response = await self._model.request(messages, None, self._parameters(question))
        except (theirs.AgentRunError, theirs.UserError) as error:
            raise translate_error(self._name, error) from None
        return self._answer(response)

    async def close(self) -> None:
        """Close the connections, which the library does on leaving the context."""
        async with self._model:
            return

    def _parameters(self, question: ModelQuestion) -> ModelRequestParameters:
        schema = dict(question.schema)
        return ModelRequestParameters(
            output_mode=_MODES[self._output],
            output_tools=[ToolDefinition(name=_TOOL, parameters_json_schema=schema, description="The whole answer.")],
            output_object=OutputObjectDefinition(json_schema=schema, name=_TOOL),
            allow_text_output=self._output in ("schema", "prompt"),
            # The library adds the schema to these and then sends no others, so the step's own must be among them.
            instruction_parts=[InstructionPart(content=question.instructions)],
        )

    def _answer(self, response: ModelResponse) -> ModelAnswer:
        return ModelAnswer(
            text=_answer_text(response),
            refused=response.finish_reason == "content_filter",
            cut_off=response.finish_reason == "length",
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost=list_price(response) if self._priced_by_list else None,
            turn=response,
        )


def open_model(model: ModelEndpoint, output: OutputForm, seconds: float) -> HostedModel:
    """Create a client for a model; nothing is sent yet."""
    return HostedModel(model, output, seconds)


def _answer_text(response: ModelResponse) -> str:
    """The JSON of the answer: the arguments of the tool call, or the text without a code fence."""
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            return part.args_as_json_str()
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart)).strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("```")[0].strip()
    return text


def _correction_messages(correction: AnswerCorrection, instructions: str) -> list[ModelMessage]:
    """The invalid answer and what is wrong with it; every tool call gets a return."""
    response = correction.answer.turn
    assert isinstance(response, ModelResponse)
    prompt = _RETRY_PROMPT + correction.wrong
    returns: list[ModelRequestPart] = [
        ToolReturnPart(tool_name=part.tool_name, content=prompt, tool_call_id=part.tool_call_id, outcome="retried")
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    return [response, ModelRequest(parts=returns or [UserPromptPart(content=prompt)], instructions=instructions)]


def list_price(response: ModelResponse) -> Decimal | None:
    """The cost by the library's price list; None for a model that isn't listed."""
    try:
        return response.cost().total_price
    except (LookupError, ValueError, AssertionError):
        return None


class HostedSearch:
    """One model at its provider, with the provider's search tool."""

    def __init__(self, model: ModelEndpoint, seconds: float) -> None:
        self._name = str(model)
        self._priced_by_list = model.base_url is None
        self._model = connect_for_search(model, seconds)

    async def ask(self, question: ModelQuestion, correction: AnswerCorrection | None = None) -> ModelAnswer:  # noqa: ARG002 - a search has no form that could be wrong
        asked = ModelRequest(parts=[UserPromptPart(content=question.sources)], instructions=question.instructions)
        parameters = ModelRequestParameters(native_tools=[WebSearchTool()], allow_text_output=True)
        try:
            response = await self._model.request([asked], None, parameters)
        except (theirs.AgentRunError, theirs.UserError) as error:
            raise translate_error(self._name, error) from None
        return ModelAnswer(
            text=_read_search_result(response).model_dump_json(),
            refused=response.finish_reason == "content_filter",
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost=list_price(response) if self._priced_by_list else None,
        )

    async def close(self) -> None:
        """Close the connections, which the library does on leaving the context."""
        async with self._model:
            return


def open_search(model: ModelEndpoint, seconds: float) -> HostedSearch:
    """Create a client for web search; nothing is sent yet. Raises ModelUnusable where the provider has no search."""
    return HostedSearch(model, seconds)


def _read_search_result(response: ModelResponse) -> WebSearchResult:
    returned = [part for part in response.parts if isinstance(part, NativeToolReturnPart)]
    pages = {page.url: page for part in returned for page in _find_pages(part.content)}
    return WebSearchResult(searches=len(returned), pages=list(pages.values()))


def _find_pages(content: Any) -> Iterator[WebSearchPage]:
    """Every object with an address in what the search tool returned; the nesting differs by provider."""
    if isinstance(content, list):
        for item in content:
            yield from _find_pages(item)
    elif isinstance(content, dict):
        address = content.get("url") or content.get("uri")
        if isinstance(address, str):
            yield WebSearchPage(url=address, title=str(content.get("title") or ""))
        else:
            yield from _find_pages(list(content.values()))


_ErrorTypes = type[Exception] | tuple[type[Exception], ...]
_SERVER_ERRORS = (theirs.ModelServerError, theirs.ModelUnavailableError, theirs.UnexpectedModelBehavior)
_TIMEOUTS = (theirs.ModelTimeoutError, theirs.ModelRequestTimeout)
_BAD_KEY = gettext("its provider refuses the key; check ALMANAC_LLM_API_KEY")
_UNKNOWN_MODEL = gettext("its provider has no model of that name; check ALMANAC_LLM_MODEL and ALMANAC_LLM_STEPS")
_NO_CREDIT = gettext("the account at its provider has no credit left; top it up, then retry the jobs")
_BAD_REQUEST = gettext("its provider refuses the request; try another model, or another ALMANAC_LLM_OUTPUT")

# The first that fits counts, so that a kind stands above the kinds it belongs to.
_FAILURES: list[tuple[_ErrorTypes, Callable[[str], ModelFailure]]] = [
    (theirs.ModelContextWindowExceededError, TooLongForModel),
    (theirs.ModelAuthenticationError, lambda model: ModelUnusable(model, _BAD_KEY)),
    (theirs.ModelNotFoundError, lambda model: ModelUnusable(model, _UNKNOWN_MODEL)),
    (theirs.ModelQuotaExceededError, lambda model: ModelUnusable(model, _NO_CREDIT)),
    (theirs.ContentFilterError, ModelRefused),
    (_TIMEOUTS, lambda model: ModelUnavailable(model, gettext("took too long to answer"))),
    (
        theirs.ModelConnectionError,
        lambda model: ModelUnavailable(model, gettext("can't be reached, or broke the connection")),
    ),
    (_SERVER_ERRORS, lambda model: ModelUnavailable(model, gettext("has a problem"))),
]


def translate_error(model: str, error: Exception) -> ModelFailure:
    """Our error for an error of the provider."""
    if isinstance(error, theirs.ModelRateLimitError):
        return ModelRateLimited(model, error.retry_after)
    for kind, failure in _FAILURES:
        if isinstance(error, kind):
            return failure(model)
    return _error_by_status(model, error.status_code if isinstance(error, theirs.ModelHTTPError) else 400)


def _error_by_status(model: str, status: int) -> ModelFailure:
    if status == 413:
        return TooLongForModel(model)
    if status == 408:
        return ModelUnavailable(model, gettext("took too long to answer"))
    return ModelUnusable(model, _BAD_REQUEST)
