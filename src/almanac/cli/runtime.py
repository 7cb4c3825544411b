"""Runs async commands, and turns every error into one sentence and an exit code.

Exit codes: 0 success, 1 failure or abort, 2 invalid call or setting.
"""

import asyncio
import errno
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Concatenate, ParamSpec, TypeVar

from almanac.bootstrap import open_services
from almanac.cli.server_address import with_server_address
from almanac.config import Settings, load_settings
from almanac.errors import AlmanacError, FieldErrors, InputError
from almanac.kit.ids import new_id
from almanac.kit.logs import request_id, set_up_logging
from almanac.services import Services
from almanac.terminal import make_command, make_runner, print_error
from tablature.engine.storage.connection import UnreadableFile
from tablature.errors import TablatureError

T = TypeVar("T")
P = ParamSpec("P")
FAILURE, USAGE_ERROR = 1, 2
logger = logging.getLogger(__name__)


def run_async(command: Callable[[], Awaitable[T]]) -> T:
    """Run an async command in a new event loop."""

    async def awaited() -> T:
        return await command()

    return asyncio.run(awaited())


def settings_for_command(*, log_level: str = "warning") -> Settings:
    """Load the settings, and set up quiet logging for a terminal. Links lead to the server that runs here."""
    settings = with_server_address(load_settings())
    set_up_logging("brief", log_level)
    return settings


@asynccontextmanager
async def services_for_command() -> AsyncIterator[Services]:
    """Services without web server and worker. Like a request, a command has an id that names it in what it starts."""
    request_id.set(new_id())
    async with open_services(settings_for_command()) as services:
        yield services


def with_services(command: Callable[Concatenate[Services, P], Awaitable[None]]) -> Callable[P, None]:
    """Turn an async command into a plain function that opens its first argument, the services."""
    return make_command(command, make_runner(services_for_command))


def run_guarded(call: Callable[[], object]) -> int:
    """Call and return the exit code. Tracebacks are only logged, at debug level."""
    try:
        call()
    except FieldErrors as error:
        for field, sentence in error.fields.items():
            print_error(f"{field}: {sentence}")
        return USAGE_ERROR
    except AlmanacError as error:
        print_error(error.sentence)
        return USAGE_ERROR if isinstance(error, InputError) else FAILURE
    except (TablatureError, UnreadableFile) as error:
        print_error(str(error))
        return FAILURE
    except OSError as error:
        logger.debug("the system refused", exc_info=True)
        print_error(_describe_os_error(error))
        return FAILURE
    except Exception as error:  # last resort: the user gets a sentence, the log the traceback
        logger.debug("unexpected error", exc_info=True)
        print_error(f"Something unexpected happened ({type(error).__name__}: {error}). Run `almanac doctor`.")
        return FAILURE
    return 0


def _describe_os_error(error: OSError) -> str:
    """A sentence about the error and what to do."""
    place, why = error.filename or "A file", error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full ({place}); free some space and try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{place} can't be used ({why}); fix its permissions, or choose another path."
    return f"{place} can't be used ({why}); check it, or run `almanac doctor`."
