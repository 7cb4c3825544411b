"""An optimistic write is tried again after a conflict, a limited number of times."""

import pytest

from almanac.errors import Unavailable
from almanac.kit.retry import WriteConflict, retry_on_conflict


async def test_the_attempt_is_repeated_until_it_succeeds():
    conflicts = [WriteConflict(), WriteConflict()]

    async def attempt() -> str:
        if conflicts:
            raise conflicts.pop()
        return "written"

    assert await retry_on_conflict(attempt) == "written"


async def test_another_error_is_not_retried():
    async def attempt() -> None:
        raise KeyError("missing")

    with pytest.raises(KeyError):
        await retry_on_conflict(attempt)


async def test_endless_conflicts_end_as_unavailable_with_the_given_sentence():
    async def attempt() -> None:
        raise WriteConflict

    with pytest.raises(Unavailable, match="Try later"):
        await retry_on_conflict(attempt, attempts=2, sentence="Try later.")
