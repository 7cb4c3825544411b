"""Google's Gemini."""

from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

from almanac.llm.choices import Model


def connect(model: Model) -> GoogleModel:
    return GoogleModel(model.name, provider=GoogleProvider(api_key=model.api_key, base_url=model.base_url))


connect_searching = connect
