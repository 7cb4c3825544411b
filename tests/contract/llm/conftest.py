"""A small step, and the writers that must agree about it: by extraction, by a model over HTTP, and the scripted one."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from almanac.kit.clock import FixedClock
from almanac.llm.answer import StepAnswer
from almanac.llm.answer_cache import AnswerCache
from almanac.llm.budget import ModelBudget
from almanac.llm.errors import ModelRefused
from almanac.llm.fake import ScriptedWriter
from almanac.llm.gateway import ModelGateway
from almanac.llm.hosted import open_model
from almanac.llm.model_call import ModelRetryPolicy
from almanac.llm.model_config import ModelConfig, ModelEndpoint, TokenPrice
from almanac.llm.port import StepWriter, WritingStep
from almanac.llm.prompts import parse_prompt
from almanac.llm.provider import ProviderPool
from almanac.llm.sources import Cited, Reference, StepSource
from almanac.relational import Database


@dataclass(frozen=True, kw_only=True)
class Given:
    sources: tuple[StepSource, ...]
    language: str = "English"


class Point(StepAnswer):
    sentences: list[Cited]


def first_sentence(given: Given) -> Point:
    source = given.sources[0]
    return Point(sentences=[Cited(text=source.text, references=(Reference(source=source.id, sentence=0),))])


PROMPT = parse_prompt("point", "version: 1.0\nWrite the point of the sources in {{ language }}.\n")
POINT = WritingStep(name="point", prompt=PROMPT, output=Point, extract=first_sentence)
TRANSLATION = WritingStep(name="translation", prompt=PROMPT, output=Point)
GIVEN = Given(sources=(StepSource(id="article-77", text="The bridge opened on Monday. It cost 4 million."),))
GOOD = {"sentences": [{"text": "The bridge opened.", "references": ["s1.1"]}]}


@dataclass
class Workshop:
    """Makes gateways to a model server, with waits that take no time and are noted."""

    database: Database
    clock: FixedClock
    url: str
    waits: list[float] = field(default_factory=list)
    opened: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def model(self) -> ModelEndpoint:
        return ModelEndpoint(provider="openai", name="tiny", base_url=self.url)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    def gateway(
        self,
        *,
        by_model: bool = True,
        steps: Mapping[str, ModelEndpoint | None] | None = None,
        cap: str | None = None,
        prices: Mapping[str, TokenPrice] | None = None,
        seconds: float = 30,
        output: Any = "auto",
    ) -> ModelGateway:
        choices = ModelConfig(
            default=self.model if by_model else None,
            steps=steps or {},
            prices={"tiny": TokenPrice(Decimal(10), Decimal(100))} if prices is None else prices,
        )
        gateway = ModelGateway(
            choices,
            ProviderPool(lambda model: open_model(model, output, seconds)),
            AnswerCache(self.database, self.clock),
            ModelBudget(database=self.database, clock=self.clock, cap=Decimal(cap) if cap else None),
            self.clock,
            ModelRetryPolicy(seconds=seconds, sleep=self.wait),
        )
        self.opened.push_async_callback(gateway.close)
        return gateway

    async def uses(self) -> list[dict[str, Any]]:
        async with self.database.unit() as unit:
            return await unit.all("SELECT * FROM llm_uses ORDER BY id")


@pytest.fixture
async def workshop(database: Database, clock: FixedClock, model_server) -> AsyncIterator[Workshop]:
    workshop = Workshop(database, clock, model_server.url)
    async with workshop.opened:
        yield workshop


@dataclass
class Bench:
    """One writer, with a way to make it write what the suite expects."""

    writer: StepWriter
    model: str
    expect: Callable[[], None]
    fail: Callable[[], None]


@pytest.fixture(params=["extractive", "model", "scripted"])
def bench(request: pytest.FixtureRequest, workshop: Workshop, model_server, clock: FixedClock) -> Bench:
    """Each expects to write the first sentence of the source."""
    if request.param == "extractive":
        return Bench(workshop.gateway(by_model=False), "extractive", lambda: None, lambda: None)
    if request.param == "scripted":
        writer = ScriptedWriter(clock)
        failure = ModelRefused("scripted")
        return Bench(
            writer,
            "scripted",
            lambda: writer.script("point", first_sentence),
            lambda: writer.script("point", failure),
        )
    answer = {"sentences": [{"text": GIVEN.sources[0].text, "references": ["s1.1"]}]}
    return Bench(
        workshop.gateway(),
        "openai:tiny",
        lambda: model_server.then(model_server.says(answer)),
        lambda: model_server.then(model_server.talks(None, refusal="no")),
    )


@pytest.fixture
def point() -> WritingStep[Given, Point]:
    return POINT


@pytest.fixture
def translation() -> WritingStep[Given, Point]:
    return TRANSLATION


@pytest.fixture
def given() -> Given:
    return GIVEN


@pytest.fixture
def good() -> dict[str, Any]:
    return GOOD


@pytest.fixture
def given_of() -> Callable[..., Given]:
    """An input with one source."""

    def make(id_: str, text: str) -> Given:
        return Given(sources=(StepSource(id=id_, text=text),))

    return make
