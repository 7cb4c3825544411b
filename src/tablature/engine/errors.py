"""The errors the engine answers with, coded and worded as the service does; HTTP is the server's part."""

from collections.abc import Mapping, Sequence
from typing import Any


class EngineError(Exception):
    """A refusal with the service's error code, its sentence, and any extra members of the error's shape."""

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
    """A fault of the request by itself, whatever is stored; PutItem and UpdateItem report it in an envelope."""
    error = validation_error(message)
    error.is_malformed_request = True
    return error


def keep_wording(error: EngineError) -> EngineError:
    """Mark an error that the service words the same wherever the value was, even among expression values."""
    error.keeps_wording = True
    return error


def unsupported_value(detail: str) -> EngineError:
    """A key that can never be stored; a transaction reports it by itself and not among cancellation reasons."""
    error = validation_error(f"One or more parameter values are not valid. {detail}")
    error.ends_transaction = True
    return error


def in_envelope(error: EngineError) -> EngineError:
    """The error as PutItem and UpdateItem report it: a malformed request counts as a detected validation error."""
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
    """Refuse a write whose condition is false; `item` is the stored item when the caller asked for it."""
    fields = {} if item is None else {"Item": item}
    return EngineError("ConditionalCheckFailedException", "The conditional request failed", **fields)


def transaction_cancelled(reasons: Sequence[Mapping[str, Any]]) -> EngineError:
    """Refuse a whole transaction; `reasons` has one entry per action, `{"Code": "None"}` where it was sound."""
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
