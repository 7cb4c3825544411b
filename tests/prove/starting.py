"""Starts the parts of an installation, as several machines have them, and waits until all of them answer."""

import asyncio
import os
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
from calling import Journal
from parts import SECONDS_TO_START, Postgres, Process, free_port, python, until_listening
from post_office import PostOffice, open_post_office
from stage import ADMIN_TOKEN, FEEDS, Plan, Stage, until

HERE = Path(__file__).parent
LOCAL_WEB = HERE.parent / "functional" / "news" / "local_web.py"
GREETINGS = {"serve": "Almanac is at", "worker": "Working."}


@asynccontextmanager
async def set_stage(plan: Plan, folder: Path) -> AsyncIterator[Stage]:
    """Start every part and wait until all of them answer."""
    chance = random.Random(plan.seed)
    async with AsyncExitStack() as stack:
        office = await stack.enter_async_context(open_post_office(chance))
        local_web = await stack.enter_async_context(_local_web(plan.pages_in_feeds))
        postgres = Postgres(folder / "postgres", chance)
        await stack.enter_async_context(postgres.server)
        stage = _stage(plan, folder, chance, office, postgres, local_web)
        stack.push_async_callback(stage.close)
        await _start(stage)
        yield stage


def _stage(
    plan: Plan, folder: Path, chance: random.Random, office: PostOffice, postgres: Postgres, local_web: str
) -> Stage:
    ports, records = [free_port() for _ in range(3)], folder / "records"
    records.mkdir()
    shared = _environment(folder, postgres.server.url(), ports[0], office.url, records, local_web)
    engine = python("-m", "tablature.engine", "--path", folder / "tables.db", "--port", ports[0])

    def almanac(role: str, number: int, port: int = 0) -> Process:
        own = {"ALMANAC_DATA": str(folder / f"{role}-{number}"), "ALMANAC_PORT": str(port), "ALMANAC_WORKER": "no"}
        command = [HERE / "quick_process.py", role] if plan.is_quick else ["-m", "almanac", role]
        return Process(role, python(*command), {**shared, **own}, folder / f"{role}-{number}.log", GREETINGS[role])

    return Stage(
        plan=plan,
        folder=folder,
        journal=Journal(folder / "journal.jsonl"),
        office=office,
        postgres=postgres,
        tables=Process("table endpoint", engine, {}, folder / "tables.log", "http://"),
        webs=[almanac("serve", number, ports[1 + number]) for number in range(2)],
        workers=[almanac("worker", number) for number in range(plan.workers)],
        addresses=[f"http://127.0.0.1:{port}" for port in ports[1:]],
        local_web=local_web,
        records=records,
        environment=shared,
        chance=chance,
    )


def _environment(
    folder: Path, database_url: str, tables_port: int, mail_url: str, records: Path, local_web: str
) -> dict[str, str]:
    """The settings that all machines share. Nothing here makes anything safer or less so than by default."""
    return {
        "ALMANAC_DATA": str(folder / "here"),
        "ALMANAC_DATABASE_URL": database_url,
        "ALMANAC_MAIL_URL": mail_url,
        "ALMANAC_DYNAMODB_ENDPOINT": f"http://127.0.0.1:{tables_port}",
        "ALMANAC_DYNAMODB_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "ALMANAC_OBJECTS_URL": f"file://{folder}/objects",
        "ALMANAC_SECRET_KEY": "a secret that all of the machines know of",
        "ALMANAC_ADMIN_TOKEN": ADMIN_TOKEN,
        "ALMANAC_DEMO": "no",
        "ALMANAC_RATE_LIMIT_PER_MINUTE": "1000000",
        "ALMANAC_LOG_LEVEL": "warning",
        "ALMANAC_FETCH_ALLOW": "127.0.0.0/8",
        "ALMANAC_FETCH_PORTS": f"80,443,{httpx.URL(local_web).port}",
        "ALMANAC_NEWS_DELAY_MS": "0",
        "ALMANAC_NEWS_PER_SITE": "8",
        "ALMANAC_NEWS_READERS": "1",
        "ALMANAC_RECAP_SOURCE": f"file://{records}",
        "ALMANAC_RECAP_DAILY": "no",
        "ALMANAC_BASE_URL": "https://almanac.example.org",
        "NO_COLOR": "1",
    }


@asynccontextmanager
async def _local_web(pages: int) -> AsyncIterator[str]:
    """Pages and feeds to read; never killed, since it is no part of the product."""
    served = await asyncio.create_subprocess_exec(
        *python(LOCAL_WEB, pages, FEEDS), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert served.stdout is not None
    assert served.stdin is not None
    try:
        yield f"http://127.0.0.1:{int(await served.stdout.readline())}"
    finally:
        served.stdin.close()
        await served.wait()


async def _start(stage: Stage) -> None:
    stage.tables.start()
    await until_listening(int(stage.tables.command[-1]))
    await run_almanac(stage, "migrate")
    for process in (*stage.webs, *stage.workers):
        process.start()
    async with httpx.AsyncClient(trust_env=False) as http:
        for address in stage.addresses:

            async def is_ready(url: str = f"{address}/readyz") -> bool:
                try:
                    return (await http.get(url)).is_success
                except httpx.TransportError:
                    return False

            if not await until(is_ready, SECONDS_TO_START):
                logs = "\n".join(process.log.read_text()[-2000:] for process in stage.programs)
                raise SystemExit(f"{address} did not start:\n{logs}")


async def run_almanac(stage: Stage, *arguments: str) -> str:
    """What a command prints; it must end well."""
    command = await asyncio.create_subprocess_exec(
        *python("-m", "almanac", *arguments),
        env={**os.environ, **stage.environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await command.communicate()
    if command.returncode:
        raise SystemExit(f"almanac {' '.join(arguments)} ended with {command.returncode}:\n{out.decode()}")
    return out.decode()
