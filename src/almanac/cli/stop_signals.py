"""SIGTERM and SIGINT as events: the first asks a long-running process to stop, a second to hurry."""

import asyncio
import signal
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StopSignals:
    """`stopping` is set by the first SIGTERM or SIGINT, `hurry` by a second."""

    stopping: asyncio.Event
    hurry: asyncio.Event

    def on_signal(self) -> None:
        (self.hurry if self.stopping.is_set() else self.stopping).set()


def install_stop_signals() -> StopSignals:
    """Installed first, so that shutdown is never skipped."""
    signals = StopSignals(asyncio.Event(), asyncio.Event())
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, signals.on_signal)
    return signals
