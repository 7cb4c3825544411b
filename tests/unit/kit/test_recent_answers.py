"""An answer is given again while it is recent, and asked for anew after that."""

from itertools import count

from almanac.kit.recent import Recent


def asking():
    numbers = count(1)

    async def ask():
        return next(numbers)

    return ask


async def test_a_recent_answer_is_given_again():
    recent, ask = Recent[int](3600), asking()
    assert [await recent.get(ask) for _ in range(3)] == [1, 1, 1]


async def test_an_answer_that_is_over_is_asked_for_anew():
    recent, ask = Recent[int](0), asking()
    assert [await recent.get(ask) for _ in range(3)] == [1, 2, 3]
