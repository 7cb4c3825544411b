"""Turns what obstore returns and raises into our own types and errors, once for every adapter built on it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    InvalidPathError,
    PermissionDeniedError,
    UnauthenticatedError,
)

from almanac.errors import Conflict, InputError, NotFound, Unavailable
from almanac.objects.port import ListedObject, ObjectInfo

if TYPE_CHECKING:  # obstore has these names in its type stubs only
    from obstore import BytesStream, ObjectMeta

_NOT_A_FOLDER = "(os error 20)"
_IS_A_FOLDER = "(os error 21)"
CHUNK = 256 * 1024


@contextmanager
def translate_object_errors(key: str) -> Iterator[None]:
    """Run a call on one object; the store's own words stay in the chain for the log."""
    try:
        yield
    except FileNotFoundError as error:
        raise NotFound(f"There is no object {key!r}.") from error
    except AlreadyExistsError as error:
        raise Conflict(f"There is already an object {key!r}.") from error
    except InvalidPathError as error:
        raise InputError(f"The object store can't take the key {key!r}; rename it.") from error
    except (PermissionDeniedError, UnauthenticatedError, PermissionError) as error:
        raise Unavailable("The object store refused access; check its credentials and permissions.") from error
    except (BaseError, OSError, NotImplementedError) as error:
        if _NOT_A_FOLDER in str(error) or _IS_A_FOLDER in str(error):
            raise Conflict(f"A folder can't hold {key!r} beside a key that uses its name as a folder.") from error
        raise Unavailable(f"The object store failed: {_first_line(error)}.") from error


async def translate_chunks(stream: "BytesStream", key: str) -> AsyncIterator[bytes]:
    """The content in pieces, with failures half-way translated too."""
    with translate_object_errors(key):
        async for chunk in stream:
            yield bytes(chunk)


def listed_object(meta: "ObjectMeta", key: str) -> ListedObject:
    """What a listing says about one object, under our key for it."""
    return ListedObject(key, meta["size"], meta["e_tag"] or "", meta["last_modified"])


def object_info(meta: "ObjectMeta", key: str, content_type: str) -> ObjectInfo:
    """What is known about one object, under our key for it."""
    return ObjectInfo(key, meta["size"], meta["e_tag"] or "", meta["last_modified"], content_type)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].strip().rstrip(".") or type(error).__name__
