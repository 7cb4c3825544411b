"""A worker that ends by itself takes the process with it: who watches over it must notice, and start it again."""

import asyncio

import pytest

from almanac.cli.server import _worker_running


class DyingWorker:
    async def run(self):
        raise ArithmeticError("A fault of ours.")

    def stop(self):
        """There is nothing left to stop."""


async def test_the_web_interface_does_not_go_on_without_its_worker():
    stopping = asyncio.Event()
    with pytest.raises(ArithmeticError):
        async with asyncio.timeout(60), _worker_running(DyingWorker(), stopping):
            await stopping.wait()
