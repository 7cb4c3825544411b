"""The error tree: each error that a person or a client can meet, with a stable code, an HTTP status and a sentence.

    AlmanacError
    ├── InputError              400  the request is invalid
    │   ├── FieldErrors         422  named fields are wrong; carries one sentence per field
    │   └── SettingError        400  a setting is wrong; the CLI exits with 2
    ├── SignInNeeded            401  nobody is signed in, or the credential is invalid
    ├── NotAllowed              403  somebody is signed in and may not do this
    ├── NotFound                404  it does not exist, or not for this person
    ├── Gone                    410  it was there and was withdrawn; the sentence says why
    ├── Conflict                409  the current state forbids it
    │   └── StaleEdit           412  somebody else changed it first; carries the current version
    ├── EditGuardMissing        428  an edit must name the version it changes
    ├── TooLarge                413  the input is larger than allowed
    └── Retryable                    the same call may succeed later: jobs retry these and no others
        ├── TooMany             429  slow down; carries when to try again
        ├── Paused              503  not before a given time; a job waits without using up an attempt
        └── Unavailable         503  something we depend on does not answer

Translation to HTTP, to a page or to an exit code happens once per boundary, never here.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from almanac.kit.messages import gettext

UNEXPECTED_ERROR = gettext("An unexpected error happened; try again, and tell an administrator if it happens again.")
"""The sentence for errors that aren't an AlmanacError."""


class AlmanacError(Exception):
    """The root. `sentence` is shown to people as it is; `detail` is for machines and holds nothing secret.

    `by_input` says that what a person gave is wrong, so that whoever runs the installation needn't be alarmed.
    """

    code = "error"
    status = 500
    by_input = False

    def __init_subclass__(cls, *, code: str | None = None, status: int | None = None) -> None:
        """Set the stable code and the HTTP status; what isn't named is inherited."""
        if code is not None:
            cls.code = code
        if status is not None:
            cls.status = status

    def __init__(self, sentence: str, **detail: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.detail = detail


class InputError(AlmanacError, code="invalid_input", status=400):
    """The request is invalid."""

    by_input = True


class FieldErrors(InputError, code="invalid_fields", status=422):
    """Named fields are wrong: one sentence for each, to be shown beside it."""

    def __init__(self, fields: Mapping[str, str], sentence: str = gettext("Some fields need to be corrected.")) -> None:
        super().__init__(sentence)
        self.fields = dict(fields)


def check_all(*checks: Callable[[], object]) -> None:
    """Run every check; FieldErrors with all that they found, so that a form names each wrong field at once."""
    fields: dict[str, str] = {}
    for check in checks:
        try:
            check()
        except FieldErrors as error:
            fields |= error.fields
    if fields:
        raise FieldErrors(fields)


class SettingError(InputError, code="invalid_setting"):
    """A setting is wrong or missing: nothing was started."""

    by_input = False


class SignInNeeded(AlmanacError, code="sign_in_needed", status=401):
    """Nobody is signed in, or the credential is invalid or expired."""


class NotAllowed(AlmanacError, code="not_allowed", status=403):
    """The person is known and may not do this."""


class NotFound(AlmanacError, code="not_found", status=404):
    """It does not exist, or this person must not learn that it does."""


class Gone(AlmanacError, code="gone", status=410):
    """It was there and was withdrawn; the sentence says why."""


class Conflict(AlmanacError, code="conflict", status=409):
    """The present state forbids it; the sentence says what to do instead."""


class StaleEdit(Conflict, code="stale_edit", status=412):
    """The edit was made on an older version than the current one."""

    def __init__(self, sentence: str, current: str, **detail: object) -> None:
        super().__init__(sentence, **detail)
        self.current = current


class EditGuardMissing(AlmanacError, code="edit_guard_missing", status=428):
    """An edit came without naming the version it changes, so it could overwrite somebody's work."""


class TooLarge(AlmanacError, code="too_large", status=413):
    """The input is larger than allowed."""

    by_input = True


class Retryable(AlmanacError, code="retryable", status=503):
    """The same call may succeed later. Jobs retry these errors and no others."""


class TooMany(Retryable, code="too_many", status=429):
    """Too many calls in too short a time; `retry_after` is in seconds."""

    def __init__(self, sentence: str, retry_after: int, **detail: object) -> None:
        super().__init__(sentence, **detail)
        self.retry_after = retry_after


class Paused(Retryable, code="paused"):
    """Nothing may be done before `until`. A job waits for it without using up an attempt."""

    def __init__(self, sentence: str, until: datetime, **detail: object) -> None:
        super().__init__(sentence, **detail)
        self.until = until


class Unavailable(Retryable, code="unavailable"):
    """Something that we depend on does not answer."""
