"""Spans of work for whoever traces; without a tracer they cost nothing and leave no trace.

Attributes are names and numbers of our own, such as a route or a step: never what a person typed, sent or stored.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

AttributeValue = str | int | float | bool


class Span(Protocol):
    """Work under way."""

    def rename(self, name: str) -> None:
        """Give it another name, known only at its end."""

    def note(self, **attributes: AttributeValue) -> None:
        """Add what is known by now."""


class Tracer(Protocol):
    """Records spans."""

    def span(
        self, name: str, linked_to: str | None, attributes: dict[str, AttributeValue]
    ) -> AbstractContextManager[Span]:
        """A span inside the current one, or a trace of its own linked to where the work was asked for."""

    def context(self) -> str | None:
        """Names the current span for work that is done later; None outside of any."""

    def trace_id(self) -> str | None:
        """The id of the current trace; None outside of any."""


class NoSpan:
    """A span that nobody records."""

    def rename(self, name: str) -> None:
        """Nothing to rename."""

    def note(self, **attributes: AttributeValue) -> None:
        """Nothing to note."""


class _Tracing:
    """The tracer of this process, if any."""

    tracer: Tracer | None = None


_NO_SPAN = NoSpan()


def use_tracer(tracer: Tracer | None) -> None:
    """Record spans of this process with a tracer, or with none."""
    _Tracing.tracer = tracer


@contextmanager
def span(name: str, *, linked_to: str | None = None, **attributes: AttributeValue) -> Iterator[Span]:
    """Record the work inside; an error that leaves it is noted by its class alone, and raised."""
    if _Tracing.tracer is None:
        yield _NO_SPAN
        return
    with _Tracing.tracer.span(name, linked_to, attributes) as current:
        yield current


def trace_context() -> str | None:
    """Names the current span for work that is deferred; None where nothing is traced."""
    return _Tracing.tracer.context() if _Tracing.tracer else None


def current_trace_id() -> str | None:
    """The id of the current trace, for log lines; None where nothing is traced."""
    return _Tracing.tracer.trace_id() if _Tracing.tracer else None
