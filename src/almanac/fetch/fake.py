"""The fetcher for tests and trials: answers that were laid out beforehand, under the same promises as the real one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from almanac.errors import AlmanacError
from almanac.fetch.errors import BodyTooLarge, HostUnavailable, check_status
from almanac.fetch.guard import FetchGuard
from almanac.fetch.port import NO_HEADERS, NOT_MODIFIED, Conditions, Fetched, Fetcher
from almanac.kit.messages import gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A body that was sent somewhere."""

    url: str
    body: bytes
    headers: Mapping[str, str]


@dataclass(slots=True)
class FakeFetcher(Fetcher):
    """Answers by address; an address that nothing was laid out for is a host that can't be reached."""

    guard: FetchGuard = field(default_factory=FetchGuard)
    answers: dict[str, Fetched | AlmanacError] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)

    def lay_out(
        self, url: str, body: bytes = b"", *, status: int = 200, headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        """Answer requests to an address like this from now on."""
        lowered = {name.lower(): value for name, value in headers.items()}
        self.answers[str(self.guard.check_url(url))] = Fetched(url=url, status=status, headers=lowered, body=body)

    def fail(self, url: str, error: AlmanacError) -> None:
        """Let requests to an address fail from now on."""
        self.answers[str(self.guard.check_url(url))] = error

    def check(self, url: str) -> str:
        return str(self.guard.check_url(url))

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] = NO_HEADERS,  # noqa: ARG002 - answers are laid out whatever is sent
        accept: str = "*/*",  # noqa: ARG002 - answers are laid out whatever is accepted
        conditions: Conditions | None = None,
        max_bytes: int | None = None,
        seconds: float | None = None,  # noqa: ARG002 - answers come at once
    ) -> Fetched:
        answer = self._answer(url, max_bytes)
        check_status(answer.status, answer.headers, answer.url, datetime.now(UTC), answer.body)
        if conditions and conditions.etag and conditions.etag == answer.headers.get("etag"):
            return Fetched(url=answer.url, status=NOT_MODIFIED, headers=answer.headers)
        return answer

    async def post(
        self,
        url: str,
        body: bytes,
        *,
        headers: Mapping[str, str] = NO_HEADERS,
        max_bytes: int | None = None,
        seconds: float | None = None,  # noqa: ARG002 - answers come at once
    ) -> Fetched:
        self.guard.check_url(url)
        self.posted.append(Posted(url=url, body=body, headers=dict(headers)))
        return self._answer(url, max_bytes)

    def _answer(self, url: str, max_bytes: int | None) -> Fetched:
        checked = str(self.guard.check_url(url))
        self.asked.append(checked)
        answer = self.answers.get(checked)
        if answer is None:
            raise HostUnavailable(gettext("Nothing was laid out for this address."))
        if isinstance(answer, AlmanacError):
            raise answer
        if max_bytes is not None and len(answer.body) > max_bytes:
            raise BodyTooLarge(
                gettext("The answer is larger than the %(limit)s bytes allowed.", limit=f"{max_bytes:,}")
            )
        return answer
