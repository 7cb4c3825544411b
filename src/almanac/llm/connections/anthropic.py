"""Anthropic."""

from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from almanac.llm.choices import Model


def connect(model: Model) -> AnthropicModel:
    return AnthropicModel(model.name, provider=AnthropicProvider(api_key=model.api_key, base_url=model.base_url))


connect_searching = connect
