"""The boundary of the command line: runs async commands and turns every error into one sentence and an exit code.

0 done · 1 something failed or was stopped · 2 the call or a setting is wrong
"""

import asyncio
import errno
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from almanac.bootstrap import open_services
from almanac.config import Settings, load_settings
from almanac.errors import AlmanacError, FieldErrors, InputError
from almanac.kit.logs import set_up_logging
from almanac.services import Services
from almanac.terminal import print_error
from tablature.errors import TablatureError

T = TypeVar("T")
FAILED, WRONG_CALL = 1, 2
logger = logging.getLogger(__name__)


def run(command: Callable[[], Awaitable[T]]) -> T:
    """Run an async command on a loop of its own."""

    async def awaited() -> T:
        return await command()

    return asyncio.run(awaited())


def settings_for_command(*, log_level: str = "warning") -> Settings:
    """The settings, with logging quiet enough for a terminal."""
    settings = load_settings()
    set_up_logging("text", log_level)
    return settings


@asynccontextmanager
async def services_for_command() -> AsyncIterator[Services]:
    """A running installation without web and worker, for commands that read or change something."""
    async with open_services(settings_for_command()) as services:
        yield services


def guarded(call: Callable[[], object]) -> int:
    """Call and return the exit code; no traceback reaches a person unless the log level asks for it."""
    try:
        call()
    except FieldErrors as error:
        for field, sentence in error.fields.items():
            print_error(f"{field}: {sentence}")
        return WRONG_CALL
    except AlmanacError as error:
        print_error(error.sentence)
        return WRONG_CALL if isinstance(error, InputError) else FAILED
    except TablatureError as error:
        print_error(str(error))
        return FAILED
    except OSError as error:
        logger.debug("the system refused", exc_info=True)
        print_error(_refused_by_the_system(error))
        return FAILED
    except Exception as error:  # the last boundary: a person gets a sentence, the log the rest
        logger.debug("unexpected error", exc_info=True)
        print_error(f"Something unexpected happened ({type(error).__name__}: {error}). Run `almanac doctor`.")
        return FAILED
    return 0


def _refused_by_the_system(error: OSError) -> str:
    """What the system refused, as a sentence that says what to do about it."""
    place, why = error.filename or "A file", error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"There is no room left on the disk ({place}); make some, then try again."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{place} can't be used ({why}); give this account the right to, or name another place."
    return f"{place} can't be used ({why}); check it, or run `almanac doctor`."
