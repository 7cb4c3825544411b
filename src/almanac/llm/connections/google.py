"""Connects to Google Gemini."""

from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from almanac.llm.model_config import ModelEndpoint


def connect(model: ModelEndpoint, seconds: float) -> GoogleModel:
    provider = GoogleProvider(api_key=model.api_key, base_url=model.base_url)
    return GoogleModel(model.name, provider=provider, settings=ModelSettings(timeout=seconds))


connect_for_search = connect
