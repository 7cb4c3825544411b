"""Client processor time of one GetItem and one Query of 100 over HTTP with another library; prints microseconds.

Usage: python layer_http_peers.py URL boto3|aiodynamo|pydynox
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

TABLE, INDEX = "newsletter", "GSI1"
KEY = {"PK": "NEWSLETTER#NL-007", "SK": "METADATA"}
USER = "USER#user123"
ROUNDS, GETS, QUERIES = 7, 100, 10

Call = Callable[[], Awaitable[object]]


async def microseconds(call: Call, times: int) -> float:
    """The best of several rounds: whatever else the machine does can only add."""
    await call()
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(times):
            await call()
        best = min(best, (time.process_time() - start) / times * 1e6)
    return best


async def both(get: Call, query: Call) -> tuple[float, float]:
    """Microseconds of a get and of a query."""
    return await microseconds(get, GETS), await microseconds(query, QUERIES)


async def boto3(url: str) -> tuple[float, float]:
    import boto3  # noqa: PLC0415 - each peer is measured by itself

    client: Any = boto3.client(
        "dynamodb", endpoint_url=url, region_name="us-east-1", aws_access_key_id="any", aws_secret_access_key="any"
    )
    key = {name: {"S": value} for name, value in KEY.items()}

    async def get() -> object:
        return client.get_item(TableName=TABLE, Key=key)

    async def query() -> object:
        return client.query(
            TableName=TABLE,
            IndexName=INDEX,
            KeyConditionExpression="GSI1PK = :u",
            ExpressionAttributeValues={":u": {"S": USER}},
        )["Items"]

    return await both(get, query)


async def aiodynamo(url: str) -> tuple[float, float]:
    from aiodynamo.client import Client  # noqa: PLC0415 - each peer is measured by itself
    from aiodynamo.credentials import Key, StaticCredentials  # noqa: PLC0415 - the same
    from aiodynamo.expressions import HashKey  # noqa: PLC0415 - the same
    from aiodynamo.http.aiohttp import AIOHTTP  # noqa: PLC0415 - the same
    from aiohttp import ClientSession  # noqa: PLC0415 - the same
    from yarl import URL  # noqa: PLC0415 - the same

    async with ClientSession() as session:
        table = Client(AIOHTTP(session), StaticCredentials(Key("any", "any")), "us-east-1", URL(url)).table(TABLE)

        async def query() -> object:
            return [item async for item in table.query(HashKey("GSI1PK", USER), index=INDEX)]

        return await both(lambda: table.get_item(KEY), query)


async def pydynox(url: str) -> tuple[float, float]:
    from pydynox import DynamoDBClient  # noqa: PLC0415 - each peer is measured by itself

    client = DynamoDBClient(region="us-east-1", access_key="any", secret_key="any", endpoint_url=url)

    async def get() -> object:
        return client.sync_get_item(TABLE, KEY)

    async def query() -> object:
        return list(
            client.sync_query(
                TABLE, "GSI1PK = :u", expression_attribute_values={":u": USER}, index_name=INDEX, limit=100
            )
        )

    return await both(get, query)


if __name__ == "__main__":
    peers = {"boto3": boto3, "aiodynamo": aiodynamo, "pydynox": pydynox}
    print(*asyncio.run(peers[sys.argv[2]](sys.argv[1])))
