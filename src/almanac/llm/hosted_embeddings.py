"""Embeddings from OpenAI or a compatible server through pydantic-ai. Imported when they are first needed."""

from collections.abc import Sequence
from decimal import Decimal

from pydantic_ai import exceptions as theirs
from pydantic_ai.embeddings import EmbeddingResult
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.providers.openai import OpenAIProvider

from almanac.llm.connections.openai import openai_provider
from almanac.llm.hosted import translate_error
from almanac.llm.model_config import ModelEndpoint
from almanac.llm.provider import TextVectors


class HostedEmbeddings:
    """One embedding model."""

    def __init__(self, model: ModelEndpoint, seconds: float) -> None:
        self._name = str(model)
        self._priced_by_list = model.base_url is None
        self._client = openai_provider(model).client.with_options(timeout=seconds, max_retries=0)
        self._model = OpenAIEmbeddingModel(model.name, provider=OpenAIProvider(openai_client=self._client))

    async def embed(self, texts: Sequence[str]) -> TextVectors:
        try:
            result = await self._model.embed(list(texts), input_type="document")
        except (theirs.AgentRunError, theirs.UserError) as error:
            raise translate_error(self._name, error) from None
        cost = _list_price(result) if self._priced_by_list else None
        vectors = [list(vector) for vector in result.embeddings]
        return TextVectors(vectors=vectors, input_tokens=result.usage.input_tokens, cost=cost)

    async def close(self) -> None:
        await self._client.close()


def open_embeddings(model: ModelEndpoint, seconds: float) -> HostedEmbeddings:
    """Create a client for an embedding model; nothing is sent yet."""
    return HostedEmbeddings(model, seconds)


def _list_price(result: EmbeddingResult) -> Decimal | None:
    try:
        return result.cost().total_price
    except (LookupError, ValueError, AssertionError):
        return None
