"""Clients outside of the product: they repeat what got no answer, and keep a journal of what was acknowledged."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

SECONDS_FOR_AN_ANSWER = 20
SECONDS_OF_PATIENCE = 90
API = "/api/v1"


class InDoubt(Exception):
    """A request was cut off, and its sender can't know whether it took effect."""


class Refused(Exception):
    """A request was refused that nothing stood against."""


@dataclass
class Journal:
    """What the product acknowledged, by kind and name, with the value it must have; and what is in doubt."""

    path: Path
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)
    doubted: dict[str, set[str]] = field(default_factory=dict)
    writes: int = 0

    def keep(self, kind: str, name: str, value: Any = None) -> None:
        """A later write to the same name takes the place of the earlier one."""
        self.acknowledged.setdefault(kind, {})[name] = value
        self.doubted.get(kind, set()).discard(name)
        self.writes += 1
        self._note("acknowledged", kind, name, value)

    def doubt(self, kind: str, name: str) -> None:
        self.doubted.setdefault(kind, set()).add(name)
        self._note("in doubt", kind, name, None)

    @contextmanager
    def doubting(self, kind: str, name: str) -> Iterator[None]:
        """Whatever is cut off inside leaves a doubt about this name, and goes on."""
        try:
            yield
        except InDoubt:
            self.doubt(kind, name)
            raise

    def certain(self, kind: str) -> dict[str, Any]:
        """What must be there as it was acknowledged last."""
        unsure = self.doubted.get(kind, set())
        return {name: value for name, value in self.acknowledged.get(kind, {}).items() if name not in unsure}

    def _note(self, *line: Any) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")


class Caller:
    """One person's client. It asks any of the web processes, and asks again, under the same key, until one answers."""

    def __init__(self, addresses: Iterable[str], token: str, chance: random.Random, met: Counter[str]) -> None:
        self._addresses = list(addresses)
        self._chance = chance
        self._met = met
        self._http = httpx.AsyncClient(
            timeout=SECONDS_FOR_AN_ANSWER, headers={"Authorization": f"Bearer {token}"}, trust_env=False
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def get(self, path: str, **params: Any) -> Any:
        return (await self.send("GET", path, params=params)).json()

    async def post(self, path: str, body: Any = None) -> Any:
        return (await self.send("POST", path, json=body)).json()

    async def every(self, path: str, **params: Any) -> list[Any]:
        """All pages of a list."""
        results: list[Any] = []
        cursor: str | None = None
        while True:
            page = await self.get(path, limit=100, **({"cursor": cursor} if cursor else {}), **params)
            results += page["items"]
            if (cursor := page["next_cursor"]) is None:
                return results

    async def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """The answer that was given at last; Refused, or InDoubt where an earlier try may have taken effect."""
        headers = request.pop("headers", {})
        if method == "POST":
            headers["Idempotency-Key"] = uuid4().hex
        cut_off, end = False, time.monotonic() + SECONDS_OF_PATIENCE
        while time.monotonic() < end:
            answer = await self._try(method, path, headers=headers, **request)
            if answer is not None and answer.is_success:
                self._met["answered again"] += "Idempotency-Replayed" in answer.headers
                return answer
            if answer is not None and answer.status_code < 500 and answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                raise self._refusal(f"{method} {path}", answer, cut_off=cut_off)
            cut_off = True
            self._met["requests repeated"] += 1
            await asyncio.sleep(self._chance.uniform(0.2, 1))
        raise InDoubt(f"{method} {path} got no answer for {SECONDS_OF_PATIENCE} seconds")

    async def _try(self, method: str, path: str, **request: Any) -> httpx.Response | None:
        try:
            answer = await self._http.request(method, self._chance.choice(self._addresses) + API + path, **request)
        except httpx.TransportError as error:
            self._met[type(error).__name__] += 1
            return None
        self._met[f"status {answer.status_code}"] += 1
        return answer

    def _refusal(self, what: str, answer: httpx.Response, *, cut_off: bool) -> Exception:
        sentence = f"{what}: {answer.status_code} {answer.text[:500]}"
        return InDoubt(sentence) if cut_off or "Idempotency-Key" in answer.text else Refused(sentence)
