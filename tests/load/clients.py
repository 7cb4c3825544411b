"""A process of clients, apart from the server: reads its orders as JSON lines and answers each with a line of figures.

An order is a profile and a number of seconds; people keep their accounts and things from one order to the next.
"""

import asyncio
import json
import random
import sys
import time
from dataclasses import dataclass

import aiohttp
from people import PATIENCE_SECONDS, Person, Timings, join, survey
from workload import Do, weighted
from writing import settle_in


@dataclass(frozen=True)
class Orders:
    """What a process of clients is told once: where the product is, and who its people are."""

    url: str
    token: str
    run: str
    first: int
    count: int
    seed: int
    web_port: int | None


async def main() -> None:
    orders = Orders(**json.loads(sys.stdin.readline()))
    people = await gathered(orders)
    answer("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        order = json.loads(line)
        answer(await measured(people, order["profile"], order["seconds"]))
    for person in people:
        await person.http.close()


async def gathered(orders: Orders) -> list[Person]:
    """People with accounts and something to work on."""
    people = []
    for number in range(orders.first, orders.first + orders.count):
        http = browser(orders.url)
        world = people[0].world if people else await survey(http, orders.token, orders.web_port)
        person = Person(f"load-{orders.run}-{number}", http, world, random.Random(f"{orders.seed}/{number}"))
        await join(person, orders.token)
        people.append(person)
    await asyncio.gather(*(settle_in(person) for person in people))
    return people


def browser(url: str) -> aiohttp.ClientSession:
    """Keeps cookies also of a host that has no name, and no connection for as long as the server may keep it."""
    patience, connector = aiohttp.ClientTimeout(total=PATIENCE_SECONDS), aiohttp.TCPConnector(keepalive_timeout=1)
    return aiohttp.ClientSession(url, timeout=patience, connector=connector, cookie_jar=aiohttp.CookieJar(unsafe=True))


async def measured(people: list[Person], profile: str, seconds: float) -> dict[str, object]:
    """Everybody at work for a while; the figures by action."""
    for person in people:
        person.book = {}
    begun = time.perf_counter()
    shares = dealt(profile, len(people))
    await asyncio.gather(
        *(at_work(person, share, profile, begun + seconds) for person, share in zip(people, shares, strict=True))
    )
    lasted = time.perf_counter() - begun
    return {"seconds": lasted, "actions": {name: vars(item) for name, item in merged(people).items()}}


def dealt(profile: str, hands: int) -> list[list[Do]]:
    """Every action of a profile once, dealt out, so that also a short run has seen each of them."""
    wanted = [do for do, weight in zip(*weighted(profile), strict=True) if weight]
    return [wanted[hand::hands] for hand in range(hands)]


async def at_work(person: Person, first: list[Do], profile: str, until: float) -> None:
    for do in first:
        await do(person)
    actions, weights = weighted(profile)
    while time.perf_counter() < until:
        await person.chance.choices(actions, weights)[0](person)


def merged(people: list[Person]) -> dict[str, Timings]:
    together: dict[str, Timings] = {}
    for person in people:
        for name, timings in person.book.items():
            mine = together.setdefault(name, Timings())
            mine.milliseconds += timings.milliseconds
            mine.faults += timings.faults
    return together


def answer(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
