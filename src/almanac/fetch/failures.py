"""How a fetch can fail, as the caller must tell it apart: refused, too large, failed for good, or worth another try."""

from almanac.errors import AlmanacError, InputError, TooLarge, TooMany, Unavailable


class AddressRefused(InputError):
    """The address may not be fetched from here; the sentence says which rule stands against it."""

    code = "address_refused"


class BodyTooLarge(TooLarge):
    """The answer is larger than the caller allows, as sent or once unpacked."""

    code = "answer_too_large"


class FetchFailed(AlmanacError):
    """The host answered and will answer the same again: not found, forbidden, no valid certificate, nonsense.

    `body` is what it said about it, for callers who know its language.
    """

    code = "fetch_failed"
    status = 502

    def __init__(self, sentence: str, *, answer: int | None = None, body: bytes = b"") -> None:
        super().__init__(sentence)
        self.answer = answer
        self.body = body


class HostUnavailable(Unavailable):
    """The host can't be reached, is too slow, or has a fault of its own: worth another try later."""

    code = "host_unavailable"

    def __init__(self, sentence: str, *, answer: int | None = None) -> None:
        super().__init__(sentence)
        self.answer = answer


class SlowDown(TooMany):
    """The host asks for patience; `retry_after` is in seconds."""

    code = "host_asks_for_patience"

    def __init__(self, sentence: str, retry_after: int, *, answer: int = 429) -> None:
        super().__init__(sentence, retry_after)
        self.answer = answer
