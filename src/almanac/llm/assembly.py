"""Builds the gateway, the embedder and web search from settings, and the overview of models for people."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from almanac.config import Settings
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.llm.answer_cache import AnswerCache
from almanac.llm.budget import ModelBudget, MonthSpending
from almanac.llm.embeddings import ModelEmbedder, TextEmbedder
from almanac.llm.gateway import ModelGateway
from almanac.llm.model_call import ModelRetryPolicy
from almanac.llm.model_config import EXTRACTIVE, JUDGE_STEP, ModelConfig, ModelEndpoint, read_model_config
from almanac.llm.port import StepWriter
from almanac.llm.provider import EmbeddingProvider, ModelProvider, ProviderPool
from almanac.llm.store import MonthlyUse
from almanac.llm.web_search import WebSearch
from almanac.relational import Database


@dataclass(frozen=True, slots=True)
class ModelAssignment:
    """Which model writes a step; `what` is the name of the step or the purpose of the model."""

    what: str
    model: str


@dataclass(frozen=True, slots=True)
class ModelOverview:
    """Read access to model settings and costs, for the page, the API, the command line and the doctor."""

    config: ModelConfig
    budget: ModelBudget

    async def month(self, named: str | None = None) -> MonthlyUse:
        """One month of the ledger, such as `2026-03`; by default the current one."""
        return await self.budget.month(named)

    async def spent_this_month(self) -> MonthSpending:
        """What models have cost in the current month."""
        return await self.budget.spent_this_month()

    def assignments(self) -> list[ModelAssignment]:
        """The default first, then the steps that differ from it, then the second judge and embeddings."""
        config = self.config
        named = [(gettext("every step"), config.default), *sorted(config.steps.items())]
        lines = [ModelAssignment(what, str(model or EXTRACTIVE)) for what, model in named]
        if config.judged_desks:
            what = gettext("second judge of %(judged_desks)s", judged_desks=", ".join(sorted(config.judged_desks)))
            lines.append(ModelAssignment(what, str(config.for_step(JUDGE_STEP))))
        if config.embedding is not None:
            lines.append(ModelAssignment(gettext("vectors for search"), str(config.embedding)))
        return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFactories:
    """Functions that open providers; called in a thread when a model is first asked."""

    models: Callable[[ModelEndpoint], ModelProvider]
    vectors: Callable[[ModelEndpoint], EmbeddingProvider]
    searches: Callable[[ModelEndpoint], ModelProvider]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenModels:
    """The open ports of this package."""

    writer: StepWriter
    embedder: TextEmbedder | None
    models: ModelOverview
    web_search: WebSearch
    answers: AnswerCache


@asynccontextmanager
async def open_models(
    settings: Settings,
    clock: Clock,
    database: Database,
    environ: Mapping[str, str],
    factories: ProviderFactories,
    steps: Collection[str],
) -> AsyncIterator[OpenModels]:
    """Open the writer, the embedder and web search of the settings; connections are closed at the end."""
    config = read_model_config(settings, environ, steps)
    answers, retry = AnswerCache(database, clock), ModelRetryPolicy(seconds=settings.llm_timeout)
    budget = ModelBudget(database=database, clock=clock, cap=settings.llm_monthly_cap, zone=settings.time_zone)
    gateway = ModelGateway(config, ProviderPool(factories.models), answers, budget, clock, retry)
    web_search = WebSearch(config, factories.searches, answers, budget, clock, retry)
    embedder = None
    if config.embedding is not None:
        price, vectors = config.price_of(config.embedding), ProviderPool(factories.vectors)
        embedder = ModelEmbedder(config.embedding, price, vectors, answers, budget, clock, retry)
    try:
        overview = ModelOverview(config, budget)
        yield OpenModels(writer=gateway, embedder=embedder, models=overview, web_search=web_search, answers=answers)
    finally:
        await gateway.close()
        await web_search.close()
        if embedder is not None:
            await embedder.close()
