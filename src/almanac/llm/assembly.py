"""Puts the gateway together from settings; which library reaches a model is handed in."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from almanac.config import Settings
from almanac.kit.clock import Clock
from almanac.llm.answers import Answers
from almanac.llm.budget import Budget
from almanac.llm.choices import Model, read_choices
from almanac.llm.embedding import Embedder
from almanac.llm.gateway import Gateway
from almanac.llm.overview import Models
from almanac.llm.patience import Patience
from almanac.llm.port import Writer
from almanac.llm.provider import Provider, VectorProvider
from almanac.llm.providers import Providers
from almanac.llm.searching import WebSearch
from almanac.llm.vectors import ModelEmbedder
from almanac.relational import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How a provider is opened; called in a thread, when a model is first asked."""

    models: Callable[[Model], Provider]
    vectors: Callable[[Model], VectorProvider]
    searches: Callable[[Model], Provider]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedModels:
    """The ports of this package, as long as they are open."""

    writer: Writer
    embedder: Embedder | None
    models: Models
    web_search: WebSearch


@asynccontextmanager
async def opened_models(
    settings: Settings,
    clock: Clock,
    database: Database,
    environ: Mapping[str, str],
    ways: Ways,
    steps: Collection[str],
) -> AsyncIterator[OpenedModels]:
    """The writer and the embedder that the settings ask for; their connections are closed at the end."""
    choices = read_choices(settings, environ, steps)
    answers, patience = Answers(database, clock), Patience(seconds=settings.llm_timeout)
    budget = Budget(database=database, clock=clock, cap=settings.llm_monthly_cap, zone=settings.time_zone)
    gateway = Gateway(choices, Providers(ways.models), answers, budget, clock, patience)
    web_search = WebSearch(choices, ways.searches, answers, budget, clock, patience)
    embedder = None
    if choices.embedding is not None:
        price, vectors = choices.price_of(choices.embedding), Providers(ways.vectors)
        embedder = ModelEmbedder(choices.embedding, price, vectors, answers, budget, clock, patience)
    try:
        yield OpenedModels(writer=gateway, embedder=embedder, models=Models(choices, budget), web_search=web_search)
    finally:
        await gateway.close()
        await web_search.close()
        if embedder is not None:
            await embedder.close()
