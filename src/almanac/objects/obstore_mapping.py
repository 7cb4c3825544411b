"""Turns what obstore returns and raises into our own types and errors, once for every adapter built on it."""

import re
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

from almanac.errors import AlmanacError, Conflict, InputError, NotFound, Unavailable
from almanac.kit.messages import gettext
from almanac.objects.port import ListedObject, ObjectInfo

if TYPE_CHECKING:  # obstore has these names in its type stubs only
    from obstore import BytesStream, ObjectMeta

_NOT_A_FOLDER = "(os error 20)"
_IS_A_FOLDER = "(os error 21)"
OBJECTS_SETTING = "ALMANAC_OBJECTS_URL"
_WRONG_REGION = gettext("The bucket is in another region; correct `region` in {setting}.")
_WRONG_KEY = gettext(
    "The object store doesn't know this access key; correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
)
# Mistakes in the settings that S3 names in its answer.
_CAUSES = {
    "NoSuchBucket": gettext("The bucket doesn't exist; create it, or correct {setting}."),
    "PermanentRedirect": _WRONG_REGION,
    "AuthorizationHeaderMalformed": _WRONG_REGION,
    "InvalidAccessKeyId": _WRONG_KEY,
    "SignatureDoesNotMatch": _WRONG_KEY,
    "RequestTimeTooSkewed": gettext(
        "The clock of this machine is wrong, and the object store refuses it; set the clock."
    ),
    "AccessDenied": gettext("The object store denies access; let this key read, write, list and delete in the bucket."),
}
# Where keys are sought last, on machines of Amazon's: whoever is asked there was given none.
_KEY_SOURCES = ("169.254.169.254", "169.254.170.2", "fd00:ec2::254")
_NO_KEY = gettext(
    "There are no credentials for the object store of {setting}; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
)
_UNKNOWN_HOST = gettext("The host of the object store isn't known; correct the endpoint in {setting}.")
_NO_ANSWER = gettext("The object store doesn't answer; check the endpoint in {setting}, and that it runs.")
_REFUSED = gettext("The object store refused access; check its credentials and permissions.")
_HTTP_STATUS = re.compile(r"non-2xx status code: (\d{3})")
CHUNK = 256 * 1024


@contextmanager
def translate_object_errors(key: str, setting: str = OBJECTS_SETTING) -> Iterator[None]:
    """Run a call on one object; the store's own words stay in the chain for the log, ours name the setting."""
    try:
        yield
    except (BaseError, OSError, NotImplementedError) as error:
        raise _translate(key, error, setting) from error


def _translate(key: str, error: Exception, setting: str) -> AlmanacError:
    text = str(error)
    for name, sentence in _CAUSES.items():
        if f">{name}<" in text:
            return Unavailable(sentence.format(setting=setting))
    if _NOT_A_FOLDER in text or _IS_A_FOLDER in text:
        return Conflict(
            gettext("A folder can't hold %(key)s beside a key that uses its name as a folder.", key=f"{key!r}")
        )
    match error:
        case FileNotFoundError():
            translated: AlmanacError = NotFound(gettext("There is no object %(key)s.", key=f"{key!r}"))
        case AlreadyExistsError():
            translated = Conflict(gettext("There is already an object %(key)s.", key=f"{key!r}"))
        case InvalidPathError():
            translated = InputError(gettext("The object store can't take the key %(key)s; rename it.", key=f"{key!r}"))
        case PermissionDeniedError() | UnauthenticatedError() | PermissionError():
            translated = Unavailable(_REFUSED)
        case _:
            translated = Unavailable(_describe_failure(error, setting))
    return translated


async def translate_chunks(stream: "BytesStream", key: str, setting: str = OBJECTS_SETTING) -> AsyncIterator[bytes]:
    """The content in pieces, with failures half-way translated too."""
    with translate_object_errors(key, setting):
        async for chunk in stream:
            yield bytes(chunk)


def listed_object(meta: "ObjectMeta", key: str) -> ListedObject:
    """What a listing says about one object, under our key for it."""
    return ListedObject(key, meta["size"], meta["e_tag"] or "", meta["last_modified"])


def object_info(meta: "ObjectMeta", key: str, content_type: str) -> ObjectInfo:
    """What is known about one object, under our key for it."""
    return ObjectInfo(key, meta["size"], meta["e_tag"] or "", meta["last_modified"], content_type)


def describe_opening_failure(error: Exception, setting: str) -> str:
    """A sentence about an address with which no store can be built."""
    summary = _first_line(error)
    if "Missing AccessKeyId" in summary or "Missing SecretAccessKey" in summary:
        return _NO_KEY.format(setting=setting)
    return gettext("The object store of %(setting)s can't be opened: %(summary)s.", setting=setting, summary=summary)


def _describe_failure(error: Exception, setting: str) -> str:
    """A sentence about a failure of the way there; the library's own text is for developers."""
    text = str(error)
    summary = _first_line(error)
    if any(address in summary for address in _KEY_SOURCES):
        return _NO_KEY.format(setting=setting)
    if "dns error" in text:
        return _UNKNOWN_HOST.format(setting=setting)
    if status := _HTTP_STATUS.search(summary):
        return gettext(
            "The object store of %(setting)s failed with HTTP status %(status)s; try again, or see its own log.",
            setting=setting,
            status=status[1],
        )
    if "HTTP error" in summary:
        return _NO_ANSWER.format(setting=setting)
    return gettext("The object store failed: %(summary)s.", summary=summary)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].strip().rstrip(".") or type(error).__name__
