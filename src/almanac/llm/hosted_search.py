"""Hosted models that search the web with their provider's own tool, through pydantic-ai: OpenAI, Anthropic, Google.

Loading this module loads pydantic-ai, which takes a second; bootstrap has it loaded when a search is first asked for.
"""

from collections.abc import Iterator
from typing import Any

from pydantic_ai import exceptions as theirs
from pydantic_ai.messages import ModelRequest, ModelResponse, NativeToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.native_tools import WebSearchTool

from almanac.llm.choices import Model
from almanac.llm.connections import connect_searching
from almanac.llm.hosted import list_price
from almanac.llm.provider import Answer, Correction, Question
from almanac.llm.provider_errors import translated
from almanac.llm.searching import FoundPage, Searched


class HostedSearch:
    """One model at its provider, with the provider's search tool."""

    def __init__(self, model: Model, seconds: float) -> None:
        self._name = str(model)
        self._priced_by_list = model.base_url is None
        self._model = connect_searching(model, seconds)

    async def ask(self, question: Question, correction: Correction | None = None) -> Answer:  # noqa: ARG002 - a search has no form that could be wrong
        asked = ModelRequest(parts=[UserPromptPart(content=question.sources)], instructions=question.instructions)
        parameters = ModelRequestParameters(native_tools=[WebSearchTool()], allow_text_output=True)
        try:
            response = await self._model.request([asked], None, parameters)
        except (theirs.AgentRunError, theirs.UserError) as error:
            raise translated(self._name, error) from None
        return Answer(
            text=_searched(response).model_dump_json(),
            refused=response.finish_reason == "content_filter",
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost=list_price(response) if self._priced_by_list else None,
        )

    async def close(self) -> None:
        """Close the connections: their models do that when they are left."""
        async with self._model:
            return


def open_search(model: Model, seconds: float) -> HostedSearch:
    """Make ready to search; nothing is sent yet. A provider without a search tool is Unusable."""
    return HostedSearch(model, seconds)


def _searched(response: ModelResponse) -> Searched:
    returned = [part for part in response.parts if isinstance(part, NativeToolReturnPart)]
    found = {page.url: page for part in returned for page in _pages(part.content)}
    return Searched(searches=len(returned), pages=list(found.values()))


def _pages(content: Any) -> Iterator[FoundPage]:
    """Whatever has an address in what the tool brought back: each provider wraps it in another way."""
    if isinstance(content, list):
        for one in content:
            yield from _pages(one)
    elif isinstance(content, dict):
        address = content.get("url") or content.get("uri")
        if isinstance(address, str):
            yield FoundPage(url=address, title=str(content.get("title") or ""))
        else:
            yield from _pages(list(content.values()))
