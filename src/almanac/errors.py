"""The error tree: each error that a person or a client can meet, with a stable code, an HTTP status and a sentence.

    AlmanacError
    ├── InputError              400  the request is invalid
    │   ├── FieldErrors         422  named fields are wrong; carries one sentence per field
    │   └── SettingError        400  a setting is wrong; the CLI exits with 2
    ├── SignInNeeded            401  nobody is signed in, or the credential is invalid
    ├── NotAllowed              403  somebody is signed in and may not do this
    ├── NotFound                404  it does not exist, or not for this person
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

from datetime import datetime

UNEXPECTED_ERROR = "An unexpected error happened; try again, and tell an administrator if it happens again."
"""The sentence for errors that aren't an AlmanacError."""


class AlmanacError(Exception):
    """The root. `sentence` is shown to people as it is; `detail` is for machines and holds nothing secret."""

    code = "error"
    status = 500

    def __init__(self, sentence: str, **detail: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.detail = detail


class InputError(AlmanacError):
    """The request is invalid."""

    code = "invalid_input"
    status = 400


class FieldErrors(InputError):
    """Named fields are wrong: one sentence for each, to be shown beside it."""

    code = "invalid_fields"
    status = 422

    def __init__(self, fields: dict[str, str], sentence: str = "Some fields need to be corrected.") -> None:
        super().__init__(sentence)
        self.fields = fields


class SettingError(InputError):
    """A setting is wrong or missing: nothing was started."""

    code = "invalid_setting"


class SignInNeeded(AlmanacError):
    """Nobody is signed in, or the credential is invalid or expired."""

    code = "sign_in_needed"
    status = 401


class NotAllowed(AlmanacError):
    """The person is known and may not do this."""

    code = "not_allowed"
    status = 403


class NotFound(AlmanacError):
    """It does not exist, or this person must not learn that it does."""

    code = "not_found"
    status = 404


class Conflict(AlmanacError):
    """The present state forbids it; the sentence says what to do instead."""

    code = "conflict"
    status = 409


class StaleEdit(Conflict):
    """The edit was made on an older version than the current one."""

    code = "stale_edit"
    status = 412

    def __init__(self, sentence: str, current: str, **detail: object) -> None:
        super().__init__(sentence, **detail)
        self.current = current


class EditGuardMissing(AlmanacError):
    """An edit came without naming the version it changes, so it could overwrite somebody's work."""

    code = "edit_guard_missing"
    status = 428


class TooLarge(AlmanacError):
    """The input is larger than allowed."""

    code = "too_large"
    status = 413


class Retryable(AlmanacError):
    """The same call may succeed later. Jobs retry these errors and no others."""

    code = "retryable"
    status = 503


class TooMany(Retryable):
    """Too many calls in too short a time; `retry_after` is in seconds."""

    code = "too_many"
    status = 429

    def __init__(self, sentence: str, retry_after: int, **detail: object) -> None:
        super().__init__(sentence, **detail)
        self.retry_after = retry_after


class Paused(Retryable):
    """Nothing may be done before `until`. A job waits for it without using up an attempt."""

    code = "paused"

    def __init__(self, sentence: str, until: datetime, **detail: object) -> None:
        super().__init__(sentence, **detail)
        self.until = until


class Unavailable(Retryable):
    """Something that we depend on does not answer."""

    code = "unavailable"
