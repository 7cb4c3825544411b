"""The newsletter desk: lists and newsletters as a table grows to 100,000, all four steps on the demo content, and a
long draft as a page.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.bootstrap import DEMO, make_worker, open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.model.newsletter import STEPS
from almanac.desks.newsletter.model.verification import check_sections, list_obstacles
from almanac.desks.newsletter.service import drafts as draft_service
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.newsletter.service.exports import export_now
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import table
from almanac.jobs import SCHEMA, InlineLedger
from almanac.language.segmentation import split_sentences
from almanac.relational import MIGRATIONS, EmbeddedPostgres, migrate
from almanac.services import Services
from almanac.web.app import create_app
from measure import Line
from tablature import MemoryObjects
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded

FEW, MANY, OWN = 100, 100_000, 25
BATCH, ROUNDS, CALLS = 2000, 15, 25
FLAT, SECONDS_AT_MOST = 1.5, 10.0
SENTENCES, PASSAGES, PAGES_ALIKE = 100, 40, 3.0
BASE = "http://127.0.0.1:8000"
TOPICS = (
    "breaking_news",
    "food_security",
    "policy_updates",
    "market_access",
    "livestock",
    "climate_smart",
    "funding",
    "events",
    "publications",
)
START = datetime(2026, 1, 1, tzinfo=UTC)

Ask = Callable[[AsyncDatabase], Awaitable[object]]


def lines(folder: Path) -> list[Line]:
    # As root, PostgreSQL runs under an account of its own that must be able to pass through.
    folder.chmod(0o755)
    return [*asyncio.run(growth(folder)), *asyncio.run(four_steps(folder))]


async def growth(folder: Path) -> list[Line]:
    with Embedded(folder / "few.db") as small, Embedded(folder / "many.db") as large:
        few = await filled(small, FEW)
        many = await filled(large, MANY)
        with many.measure() as spent:
            await listed(many)
            await opened(many)
        return [
            await compared("a person's 25 newsletters, of 100,000 against 100", listed, few, many),
            await compared("one newsletter with its steps, the same", opened, few, many),
            Line("requests for the two", "", spent.total.calls, 2, at_most=True),
        ]


async def compared(what: str, ask: Ask, few: AsyncDatabase, many: AsyncDatabase) -> Line:
    """Processor time for one call in the best of many rounds, which take turns; noise only ever slows down."""
    best = {few: float("inf"), many: float("inf")}
    for _ in range(ROUNDS):
        for tables in (few, many):
            started = time.process_time()
            for _ in range(CALLS):
                await ask(tables)
            best[tables] = min(best[tables], (time.process_time() - started) / CALLS * 1000)
    figures = f"{best[many]:.2f} and {best[few]:.2f} ms"
    return Line(what, figures, best[many] / best[few], FLAT, at_most=True)


async def listed(tables: AsyncDatabase) -> object:
    return await newsletter_store.list_newsletters(tables, "reader")


async def opened(tables: AsyncDatabase) -> object:
    return await newsletter_store.get_full_newsletter(tables, code(3))


async def filled(transport: Embedded, count: int) -> AsyncDatabase:
    tables = AsyncDatabase(transport, objects=MemoryObjects())
    await tables.admin.create_table(table.newsletters)
    await fill(tables, count)
    return tables


async def fill(tables: AsyncDatabase, count: int) -> None:
    """Newsletters with topics; the first few belong to one person, the others to many."""
    for begin in range(0, count, BATCH):
        made = [newsletter(number) for number in range(begin, min(begin + BATCH, count))]
        await tables.put_many(made)
        if begin == 0:
            await tables.put_many([table.TopicsRecord(newsletter_code=item.newsletter_code) for item in made[:OWN]])


def newsletter(number: int) -> table.NewsletterRecord:
    owner = "reader" if number < OWN else f"user{number % 4000}"
    moment = START + timedelta(seconds=number)
    return table.NewsletterRecord(
        newsletter_code=code(number), title=f"Issue {number}", user_id=owner, created_at=moment
    )


def code(number: int) -> str:
    return f"NL-{20260101 + number // 10_000}-{number % 10_000:04}"


async def four_steps(folder: Path) -> list[Line]:
    async with EmbeddedPostgres(folder / "postgres") as url:
        await migrate(url, SCHEMA, MIGRATIONS)
        async with open_services(
            Settings(
                data=folder / "data",
                database_url=url,
                mail_url="memory:",
                base_url=BASE,
                rate_limit_per_minute=1_000_000,
            )
        ) as services:
            editor = await with_demo(services)
            busy = time.process_time()
            seconds, words, standing = await written(services, editor)
            busy = time.process_time() - busy
            pages = await opened_pages(services, editor)
    figures = f"{words:,} words, {busy:.1f} s of processor time in Python"
    return [
        Line("all four steps on the demo content, s", figures, seconds, SECONDS_AT_MOST, at_most=True),
        Line("sentences without support in that", figures, standing, 0, at_most=True),
        pages,
    ]


async def with_demo(services: Services) -> Principal:
    user = await accounts.create_user(
        services.accounts, CONSOLE, email="editor@example.org", name="Editor", role=Role.ADMIN
    )
    await DEMO.queue(services, user.id)
    while not await DEMO.is_complete(services):
        await make_worker(services).drain()
    return Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="console")


async def written(services: Services, editor: Principal) -> tuple[float, int, int]:
    """Seconds from a title to a file, the words of the draft, and what stands in the way of its completion."""
    started = time.perf_counter()
    made = await newsletter_service.create_newsletter(
        services, editor, ConfigurationEdit(title="Weekly", frequency="monthly")
    )
    await topic_service.choose_topics(services, editor, made.code, TOPICS, expected=0)
    for step in STEPS:
        full = await step_service.run_step_now(services, editor, made.code, step, InlineLedger(services.database))
    await export_now(services, editor, made.code, "pdf", InlineLedger(services.database))
    seconds = time.perf_counter() - started
    return seconds, full.draft.draft.word_count, len(list_obstacles(full, check_sections(full)))


async def opened_pages(services: Services, editor: Principal) -> Line:
    """The page of a draft of 100 sentences with 40 passages against its topics page, each at its best."""
    made = await newsletter_service.create_newsletter(
        services, editor, ConfigurationEdit(title="Long", frequency="monthly", length_preference="deep_dive")
    )
    await topic_service.choose_topics(services, editor, made.code, TOPICS, expected=0)
    for step in STEPS:
        full = await step_service.run_step_now(services, editor, made.code, step, InlineLedger(services.database))
    text = long_text(full.topics.chunks[:PASSAGES])
    first, *others = [section.id for section in full.draft.draft.sections]
    for section, words in ((first, text), *((other, "") for other in others)):
        version = full.draft.draft.version
        full = await draft_service.edit_section(services, editor, made.code, section, words, expected=version)
    transport = httpx.ASGITransport(create_app(services, DESKS))
    best = dict.fromkeys(("draft", "topics"), float("inf"))
    async with httpx.AsyncClient(transport=transport, base_url=BASE, follow_redirects=True) as client:
        await client.post((await accounts.issue_sign_in_link(services.accounts, CONSOLE, editor.user_id)).path)
        for _ in range(ROUNDS):
            for page in best:
                started = time.perf_counter()
                (await client.get(f"/newsletter/{made.code}/{page}")).raise_for_status()
                best[page] = min(best[page], (time.perf_counter() - started) * 1000)
    figures = f"{best['draft']:.0f} and {best['topics']:.0f} ms"
    what = "page of a draft of 100 sentences with 40 passages against its topics page"
    return Line(what, figures, best["draft"] / best["topics"], PAGES_ALIKE, at_most=True)


def long_text(chunks: Sequence[RetrievedChunk]) -> str:
    """A hundred sentences of the passages, taken in turns, each with its reference."""
    assert len(chunks) == PASSAGES
    split = [(chunk.id, [sentence.text for sentence in split_sentences(chunk.content)]) for chunk in chunks]
    turns = max(len(sentences) for _, sentences in split)
    cited = [
        f"{sentences[turn]} [@{name}]" for turn in range(turns) for name, sentences in split if turn < len(sentences)
    ]
    return "\n\n".join(cited[:SENTENCES])
