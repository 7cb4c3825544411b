"""TtlCache: an answer is reused while it is fresh, and loaded again after that."""

from itertools import count

from almanac.kit.ttl_cache import TtlCache


def asking():
    numbers = count(1)

    async def ask():
        return next(numbers)

    return ask


async def test_a_recent_answer_is_given_again():
    cache, ask = TtlCache[int](3600), asking()
    assert [await cache.get(ask) for _ in range(3)] == [1, 1, 1]


async def test_an_answer_that_is_over_is_asked_for_anew():
    cache, ask = TtlCache[int](0), asking()
    assert [await cache.get(ask) for _ in range(3)] == [1, 2, 3]
