"""The layer over HTTP: processor time that a client spends on a typed GetItem and Query of 100, against its peers."""

import asyncio
import subprocess
from pathlib import Path

from engine_servers import ours
from layer import HERE, PEERS, Newsletter, table
from layer_http_peers import both
from layer_values import values

from measure import Line
from tablature import Database
from tablature.async_database import AsyncDatabase
from tablature.transport.aws import Aws
from tablature.transport.signature import AwsCredentials

GET_BAR, QUERY_BAR = 4.0, 7.0


def lines(folder: Path) -> list[Line]:
    with ours(folder) as url, _aws(url) as aws:
        database = Database(aws)
        database.admin.create_table(table)
        database.put_many([Newsletter(**values() | {"code": f"NL-{number:03d}"}) for number in range(100)])
        waiting, awaiting = asyncio.run(_waiting(database)), asyncio.run(_awaiting(url))
        peers = {name: _peer(url, name) for name in ("boto3", "pydynox", "aiodynamo")}
    results = []
    for position, (what, bar) in enumerate((("GetItem", GET_BAR), ("Query of 100", QUERY_BAR))):
        for mode, times in (("", waiting), (", awaited", awaiting)):
            mine = times[position]
            for name, theirs in peers.items():
                figures = f"{mine:,.0f} and {theirs[position]:,.0f} µs"
                title = f"client processor time, {what}{mode}, typed, against {name}"
                results.append(Line(title, figures, theirs[position] / mine, bar if name == "boto3" else 1))
    return results


def _aws(url: str) -> Aws:
    return Aws(region="us-east-1", endpoint_url=url, credentials=AwsCredentials("any", "any"))


async def _waiting(database: Database) -> tuple[float, float]:
    async def get() -> object:
        return database.get(Newsletter.key(code="NL-007"))

    async def query() -> object:
        return database.query(Newsletter.of_user(user_id="user123"), limit=100)

    return await both(get, query)


async def _awaiting(url: str) -> tuple[float, float]:
    async with _aws(url) as aws:
        database = AsyncDatabase(aws)
        return await both(
            lambda: database.get(Newsletter.key(code="NL-007")),
            lambda: database.query(Newsletter.of_user(user_id="user123"), limit=100),
        )


def _peer(url: str, name: str) -> tuple[float, float]:
    command = [PEERS, "layer_http_peers.py", url, name]
    answer = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True)
    get, query = answer.stdout.split()
    return float(get), float(query)
