"""Google's Gemini."""

from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from almanac.llm.choices import Model


def connect(model: Model, seconds: float) -> GoogleModel:
    provider = GoogleProvider(api_key=model.api_key, base_url=model.base_url)
    return GoogleModel(model.name, provider=provider, settings=ModelSettings(timeout=seconds))


connect_searching = connect
