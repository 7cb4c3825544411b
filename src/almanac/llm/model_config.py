"""Reads from the settings which model writes which step and rejects invalid combinations. Loads no provider."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from almanac.config import Settings
from almanac.errors import SettingError
from almanac.kit.messages import gettext

EXTRACTIVE = "extractive"
JUDGE_STEP = "judge"
_KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "bedrock": (),
}
_PROVIDERS = ", ".join(f"{name}:…" for name in _KEY_VARIABLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEndpoint:
    """A model at a provider. Without a base URL and key, the provider's own environment variables count."""

    provider: str
    name: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """US dollars per million tokens."""

    input: Decimal
    output: Decimal

    def cost(self, input_tokens: int, output_tokens: int) -> Decimal:
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """The models of the settings; None means extraction."""

    default: ModelEndpoint | None = None
    steps: Mapping[str, ModelEndpoint | None] = field(default_factory=dict)
    embedding: ModelEndpoint | None = None
    prices: Mapping[str, TokenPrice] = field(default_factory=dict)
    judged_desks: frozenset[str] = frozenset()

    def for_step(self, step: str) -> ModelEndpoint | None:
        return self.steps.get(step, self.default)

    def price_of(self, model: ModelEndpoint) -> TokenPrice | None:
        """The price of the settings; None leaves it to the provider's price list."""
        return self.prices.get(str(model)) or self.prices.get(model.name)

    def models(self) -> list[ModelEndpoint]:
        """Every configured model once."""
        named = [self.default, *self.steps.values(), self.embedding]
        return list({str(model): model for model in named if model is not None}.values())


def read_model_config(settings: Settings, environ: Mapping[str, str], step_names: Collection[str]) -> ModelConfig:
    """Read the `ALMANAC_LLM_*` settings; raises SettingError. `step_names` are all steps that exist."""
    steps = {
        _check_step(step, step_names): _read_endpoint(settings, environ, name, "LLM_STEPS")
        for step, name in _parse_pairs(settings.llm_steps, "LLM_STEPS")
    }
    default = _read_endpoint(settings, environ, settings.llm_model or EXTRACTIVE, "LLM_MODEL")
    embedding = _read_endpoint(settings, environ, settings.llm_embedding_model or EXTRACTIVE, "LLM_EMBEDDING_MODEL")
    if embedding is not None and embedding.provider != "openai":
        raise SettingError("ALMANAC_LLM_EMBEDDING_MODEL must be one of openai, or of a server that speaks like it.")
    if settings.llm_api_key and not (default or embedding or any(steps.values())):
        raise SettingError("ALMANAC_LLM_API_KEY also needs ALMANAC_LLM_MODEL, such as openai:gpt-5-mini.")
    prices = {name: _parse_price(price) for name, price in _parse_pairs(settings.llm_prices, "LLM_PRICES")}
    judged = frozenset(filter(None, (name.strip() for name in settings.llm_judge.split(","))))
    if judged and steps.get(JUDGE_STEP, default) is None:
        raise SettingError("ALMANAC_LLM_JUDGE also needs ALMANAC_LLM_MODEL, such as openai:gpt-5-mini.")
    return ModelConfig(default=default, steps=steps, embedding=embedding, prices=prices, judged_desks=judged)


def _check_step(step: str, step_names: Collection[str]) -> str:
    if step not in step_names:
        raise SettingError(
            gettext(
                "ALMANAC_LLM_STEPS names the step %(step)s, which doesn't exist; the steps are %(step_names)s.",
                step=step,
                step_names=", ".join(sorted(step_names)),
            )
        )
    return step


def _read_endpoint(settings: Settings, environ: Mapping[str, str], name: str, variable: str) -> ModelEndpoint | None:
    if name == EXTRACTIVE:
        return None
    provider, _, rest = name.partition(":")
    if provider not in _KEY_VARIABLES or not rest:
        if not settings.llm_base_url:
            raise SettingError(
                gettext(
                    "ALMANAC_%(variable)s must name its provider, as in %(providers)s; %(name)s doesn't.",
                    variable=variable,
                    providers=_PROVIDERS,
                    name=name,
                )
            )
        provider, rest = "openai", name
    ours = provider == _provider_of_key(settings)
    base_url, api_key = (settings.llm_base_url, settings.llm_api_key) if ours else (None, None)
    _check_key(provider, environ, base_url, api_key, variable)
    return ModelEndpoint(provider=provider, name=rest, base_url=base_url, api_key=api_key)


def _provider_of_key(settings: Settings) -> str:
    """The key and the base URL belong to the provider of the default model, or else of the embedding model."""
    name = settings.llm_model or settings.llm_embedding_model or ""
    provider = name.partition(":")[0]
    return provider if provider in _KEY_VARIABLES else "openai"


def _check_key(
    provider: str, environ: Mapping[str, str], base_url: str | None, api_key: str | None, variable: str
) -> None:
    """A local server may need no key; AWS credentials are only checked when they are used."""
    own = _KEY_VARIABLES[provider]
    if api_key or base_url or not own or any(environ.get(name) for name in own):
        return
    raise SettingError(
        gettext(
            "ALMANAC_%(variable)s names a model of %(provider)s, which needs a key: set ALMANAC_LLM_API_KEY "
            "or %(own)s.",
            variable=variable,
            provider=provider,
            own=own[0],
        )
    )


def _parse_pairs(text: str, variable: str) -> list[tuple[str, str]]:
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, value = part.partition("=")
        if not (name.strip() and sign and value.strip()):
            raise SettingError(
                gettext(
                    "ALMANAC_%(variable)s must be a list like name=value,name=value; %(part)s isn't.",
                    variable=variable,
                    part=part,
                )
            )
        pairs.append((name.strip(), value.strip()))
    return pairs


def _parse_price(text: str) -> TokenPrice:
    try:
        price = TokenPrice(*(Decimal(part.strip()) for part in text.split("/")))
    except (InvalidOperation, TypeError) as error:
        raise SettingError(
            gettext(
                "ALMANAC_LLM_PRICES must give dollars per million tokens as input/output, like 0.25/2; %(text)s isn't.",
                text=text,
            )
        ) from error
    if not (price.input.is_finite() and price.output.is_finite() and min(price.input, price.output) >= 0):
        raise SettingError(gettext("ALMANAC_LLM_PRICES must hold prices of 0 or more; %(text)s isn't.", text=text))
    return price
