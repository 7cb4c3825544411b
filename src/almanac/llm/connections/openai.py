"""OpenAI, or a server that speaks like it."""

from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from almanac.llm.choices import Model


def connect(model: Model) -> OpenAIChatModel:
    return OpenAIChatModel(model.name, provider=openai_provider(model))


def connect_searching(model: Model) -> OpenAIResponsesModel:
    """Only the Responses API tells which pages a search brought back."""
    return OpenAIResponsesModel(model.name, provider=openai_provider(model))


def openai_provider(model: Model) -> OpenAIProvider:
    """A server of one's own may need no key, but the client insists on some text."""
    key = model.api_key or ("none" if model.base_url else None)
    return OpenAIProvider(api_key=key, base_url=model.base_url)
