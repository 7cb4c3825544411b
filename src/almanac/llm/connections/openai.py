"""Connects to OpenAI or a compatible server."""

from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel, OpenAIResponsesModelSettings
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from almanac.llm.model_config import ModelEndpoint


def connect(model: ModelEndpoint, seconds: float) -> OpenAIChatModel:
    settings = ModelSettings(timeout=seconds, max_retries=0)
    return OpenAIChatModel(model.name, provider=openai_provider(model), settings=settings)


def connect_for_search(model: ModelEndpoint, seconds: float) -> OpenAIResponsesModel:
    """Uses the Responses API, the only one that returns the pages of a search."""
    settings = OpenAIResponsesModelSettings(timeout=seconds, max_retries=0, openai_include_web_search_sources=True)
    return OpenAIResponsesModel(model.name, provider=openai_provider(model), settings=settings)


def openai_provider(model: ModelEndpoint) -> OpenAIProvider:
    """A local server may need no key, but the client requires one."""
    key = model.api_key or ("none" if model.base_url else None)
    return OpenAIProvider(api_key=key, base_url=model.base_url)
