"""The in-memory transport for tests and trials: keeps what was sent and can be told how to fail."""

from collections import deque
from dataclasses import dataclass, field

from almanac.errors import AlmanacError
from almanac.mail.port import Envelope, Lookup, MailTransport, Receipt


@dataclass
class MemoryTransport(MailTransport):
    """Mail in a list. `failures` are raised by the next sends, one each; an unknown outcome may still deliver."""

    name = "memory"
    sent: list[Envelope] = field(default_factory=list)
    failures: deque[AlmanacError] = field(default_factory=deque)
    delivers_when_unknown: bool = False

    async def send(self, envelope: Envelope) -> Receipt:
        if self.failures:
            if self.delivers_when_unknown:
                self.sent.append(envelope)
            raise self.failures.popleft()
        self.sent.append(envelope)
        return Receipt("kept in memory", provider_id=f"memory-{len(self.sent)}")

    async def find(self, message_id: str) -> Lookup:
        return Lookup.FOUND if any(e.message_id == message_id for e in self.sent) else Lookup.ABSENT

    async def check(self) -> None:
        """Memory is always there."""
