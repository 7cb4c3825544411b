"""Connects to Anthropic."""

from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings

from almanac.llm.model_config import ModelEndpoint


def connect(model: ModelEndpoint, seconds: float) -> AnthropicModel:
    provider = AnthropicProvider(api_key=model.api_key, base_url=model.base_url)
    return AnthropicModel(model.name, provider=provider, settings=ModelSettings(timeout=seconds, max_retries=0))


connect_for_search = connect
