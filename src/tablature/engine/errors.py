"""The errors of the engine, with the codes and messages of the service. HTTP belongs to the server."""

from collections.abc import Mapping, Sequence
from typing import Any


class EngineError(Exception):
    """An error with the service's code and message, and any extra members of the error's shape."""

    def __init__(self, code: str, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fields = fields
        self.is_malformed_request = False
        self.ends_transaction = False
        self.keeps_wording = False

    def __repr__(self) -> str:
        return f"EngineError({self.code!r}, {self.message!r})"


# The documented name for callers of the embedded engine.
ServiceError = EngineError


def validation_error(message: str) -> EngineError:
    return EngineError("ValidationException", message)


def malformed_request(message: str) -> EngineError:
    """An error in the request itself, whatever is stored. PutItem and UpdateItem prefix it, see `in_envelope`."""
    error = validation_error(message)
    error.is_malformed_request = True
    return error


def keep_wording(error: EngineError) -> EngineError:
    """Mark an error whose message stays the same even for a value among the expression values."""
    error.keeps_wording = True
    return error


def unsupported_value(detail: str) -> EngineError:
    """A key that can never be stored. A transaction raises it instead of listing it among the reasons."""
    error = validation_error(f"One or more parameter values are not valid. {detail}")
    error.ends_transaction = True
    return error


def in_envelope(error: EngineError) -> EngineError:
    """The error as PutItem and UpdateItem report it: with the `1 validation error detected` prefix if malformed."""
    if not error.is_malformed_request or error.message.startswith("1 validation error detected: "):
        return error
    return validation_error(f"1 validation error detected: {error.message}")


def invalid_parameter(detail: str) -> EngineError:
    return validation_error(f"One or more parameter values were invalid: {detail}")


def serialization_error(message: str) -> EngineError:
    return EngineError("SerializationException", message)


def resource_not_found(message: str = "Requested resource not found") -> EngineError:
    return EngineError("ResourceNotFoundException", message)


def resource_in_use(message: str) -> EngineError:
    return EngineError("ResourceInUseException", message)


def limit_exceeded(message: str) -> EngineError:
    return EngineError("LimitExceededException", message)


def condition_failed(item: Mapping[str, Any] | None = None) -> EngineError:
    """The error for a false condition. `item` is the stored item if the caller asked for it."""
    fields = {} if item is None else {"Item": item}
    return EngineError("ConditionalCheckFailedException", "The conditional request failed", **fields)


def transaction_cancelled(reasons: Sequence[Mapping[str, Any]]) -> EngineError:
    """The error for a cancelled transaction. `reasons` has one entry per action, `{"Code": "None"}` if it was fine."""
    codes = ", ".join(reason["Code"] for reason in reasons)
    return EngineError(
        "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]",
        CancellationReasons=list(reasons),
    )


def idempotent_mismatch() -> EngineError:
    return EngineError(
        "IdempotentParameterMismatchException",
        "A request with the same client token but different parameters was already made",
    )
