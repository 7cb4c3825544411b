"""How each provider is reached. A provider's library takes seconds to load, so only the one that is set is loaded."""

from typing import TYPE_CHECKING, Any

from almanac.kit.lazy import lazy_module
from almanac.llm.choices import Model

if TYPE_CHECKING:
    from pydantic_ai import models
    from pydantic_ai.models import anthropic, bedrock, google, openai
    from pydantic_ai.providers import anthropic as anthropic_api
    from pydantic_ai.providers import bedrock as bedrock_api
    from pydantic_ai.providers import google as google_api
    from pydantic_ai.providers import openai as openai_api
else:
    anthropic = lazy_module("pydantic_ai.models.anthropic")
    anthropic_api = lazy_module("pydantic_ai.providers.anthropic")
    bedrock = lazy_module("pydantic_ai.models.bedrock")
    bedrock_api = lazy_module("pydantic_ai.providers.bedrock")
    google = lazy_module("pydantic_ai.models.google")
    google_api = lazy_module("pydantic_ai.providers.google")
    openai = lazy_module("pydantic_ai.models.openai")
    openai_api = lazy_module("pydantic_ai.providers.openai")


def connect(model: Model) -> "models.Model[Any]":
    """Make ready to ask a model; nothing is sent yet."""
    match model.provider:
        case "anthropic":
            return anthropic.AnthropicModel(
                model.name, provider=anthropic_api.AnthropicProvider(api_key=model.api_key, base_url=model.base_url)
            )
        case "google":
            return google.GoogleModel(
                model.name, provider=google_api.GoogleProvider(api_key=model.api_key, base_url=model.base_url)
            )
        case "bedrock":
            return bedrock.BedrockConverseModel(model.name, provider=_bedrock(model))
        case _:
            return openai.OpenAIChatModel(model.name, provider=openai_provider(model))


def openai_provider(model: Model) -> "openai_api.OpenAIProvider":
    """OpenAI, or a server that speaks like it; such a server may need no key, but the client insists on some text."""
    key = model.api_key or ("none" if model.base_url else None)
    return openai_api.OpenAIProvider(api_key=key, base_url=model.base_url)


def _bedrock(model: Model) -> "bedrock_api.BedrockProvider":
    """Amazon's own chain of credentials counts where no key is given."""
    if model.api_key:
        return bedrock_api.BedrockProvider(api_key=model.api_key, base_url=model.base_url)
    return bedrock_api.BedrockProvider(base_url=model.base_url)
