"""Amazon Bedrock, with a key or by Amazon's own chain of credentials."""

from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.providers.bedrock import BedrockProvider

from almanac.llm.choices import Model


def connect(model: Model) -> BedrockConverseModel:
    return BedrockConverseModel(model.name, provider=_provider(model))


def _provider(model: Model) -> BedrockProvider:
    if model.api_key:
        return BedrockProvider(api_key=model.api_key, base_url=model.base_url)
    return BedrockProvider(base_url=model.base_url)
