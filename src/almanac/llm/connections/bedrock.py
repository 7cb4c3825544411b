"""Connects to Amazon Bedrock, with a key or with the default AWS credentials."""

from botocore.exceptions import BotoCoreError, InvalidEndpointConfigurationError
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.settings import ModelSettings

from almanac.kit.messages import gettext
from almanac.llm.errors import ModelUnusable
from almanac.llm.model_config import ModelEndpoint

_NO_REGION = gettext("it needs a region; set AWS_REGION")
_NO_TLS = gettext("a key is only sent over https; check ALMANAC_LLM_BASE_URL")
_NO_CREDENTIALS = gettext("this machine has no credentials for it; set ALMANAC_LLM_API_KEY or the credentials of AWS")


class BedrockModel(BedrockConverseModel):
    """The library's model; errors that botocore raises before sending become ModelUnusable."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        try:
            return await super().request(messages, model_settings, model_request_parameters)
        except InvalidEndpointConfigurationError:
            raise ModelUnusable(f"bedrock:{self.model_name}", _NO_TLS) from None
        except BotoCoreError:
            raise ModelUnusable(f"bedrock:{self.model_name}", _NO_CREDENTIALS) from None


def connect(model: ModelEndpoint, seconds: float) -> BedrockModel:
    """Sets the timeout on the client itself, because its thread can't be cancelled."""
    try:
        return BedrockModel(model.name, provider=_provider(model, seconds))
    except (BotoCoreError, UserError):
        raise ModelUnusable(str(model), _NO_REGION) from None


def _provider(model: ModelEndpoint, seconds: float) -> BedrockProvider:
    if model.api_key:
        return BedrockProvider(api_key=model.api_key, base_url=model.base_url, aws_read_timeout=seconds)
    return BedrockProvider(base_url=model.base_url, aws_read_timeout=seconds)
