"""Runs a server or worker until it is stopped, and opens its services again when the choices of set-up change.

Nobody has to restart anything: requests wait in the listening socket meanwhile, and jobs go on where they were.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace

from almanac.bootstrap import check_adapters, database_address, open_services
from almanac.config import Settings, choices_path, load_settings
from almanac.errors import AlmanacError
from almanac.identity import announce_installation
from almanac.services import Services
from almanac.terminal import print_error

_LOOK_SECONDS = 1.0
_ANNOUNCE_SECONDS = 3.0
_FIXED_WHILE_RUNNING = ("data", "host", "port", "database_url", "processes")

Run = Callable[[Services, asyncio.Event], Awaitable[None]]
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class SettingsChange:
    """The settings to go on with; None until choices change."""

    settings: Settings | None = None


async def run_until_stopped(settings: Settings, stopping: asyncio.Event, run_once: Run) -> None:
    """Run with open services until `stopping` is set; once more with the new settings whenever choices change.

    PostgreSQL runs on meanwhile. Settings with which services can't be opened are said and left; the old ones stay.
    """
    working: Settings | None = None
    async with database_address(settings):
        while not stopping.is_set():
            ending = asyncio.Event()
            async with AsyncExitStack() as stack:
                try:
                    services = await stack.enter_async_context(open_services(settings))
                except AlmanacError as error:
                    if working is None:
                        raise
                    print_error(f"The new settings can't be used, so the old ones stay: {error.sentence}")
                    settings, working = working, None
                    continue
                await _announce(services)
                working = settings
                async with _ended_by_change(settings, stopping, ending) as change:
                    await run_once(services, ending)
            settings = change.settings or settings


async def _announce(services: Services) -> None:
    """Mark the object storage as this installation's. A store that doesn't answer is not waited for."""
    with suppress(AlmanacError, TimeoutError):
        async with asyncio.timeout(_ANNOUNCE_SECONDS):
            await announce_installation(services.database, services.objects, services.secret, services.clock)


@asynccontextmanager
async def _ended_by_change(
    settings: Settings, stopping: asyncio.Event, ending: asyncio.Event
) -> AsyncIterator[SettingsChange]:
    """Set `ending` when choices change or everything stops. What ends for another reason, such as a worker that failed,
    stops everything.
    """
    change = SettingsChange()

    async def watch() -> None:
        change.settings = await _wait_for_change(settings)
        ending.set()

    async def stop() -> None:
        await stopping.wait()
        ending.set()

    tasks = [asyncio.create_task(watch(), name="settings"), asyncio.create_task(stop(), name="stop")]
    try:
        yield change
        if change.settings is None:
            stopping.set()
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _wait_for_change(settings: Settings) -> Settings:
    """The settings as soon as the file of choices gives others; one that can't be used is said once and left."""
    stamp = _stamp(settings)
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        if stamp == (stamp := _stamp(settings)):
            continue
        try:
            changed = load_settings()
            changed = replace(changed, **{name: getattr(settings, name) for name in _FIXED_WHILE_RUNNING})
            check_adapters(changed)
        except AlmanacError as error:
            print_error(f"{choices_path(settings)} can't be used, so the settings stay: {error.sentence}")
            continue
        if changed != settings:
            logger.info("the choices of set-up changed; services are opened again")
            return changed


def _stamp(settings: Settings) -> tuple[int, int, int] | None:
    try:
        status = choices_path(settings).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size
