"""What grows without end is told from what is noisy, what warms up, and what people store."""

import random

import pytest

MOMENTS = [5.0 * number for number in range(240)]


def noise(spread: float) -> list[float]:
    chance = random.Random(1)
    return [chance.uniform(0, spread) for _ in MOMENTS]


def leaks_in(leaks, name: str, values: list[float]) -> bool:
    return leaks.verdict(name, MOMENTS, values).leaks


def test_memory_that_rises_all_the_time_leaks(leaks):
    assert leaks_in(leaks, "memory", [200 + 0.008 * at + extra for at, extra in zip(MOMENTS, noise(1), strict=True)])


@pytest.mark.parametrize("spread", [0.0, 1.0, 60.0])
def test_memory_that_only_varies_does_not_leak(leaks, spread):
    assert not leaks_in(leaks, "memory", [200 + extra for extra in noise(spread)])


def test_memory_that_warms_up_and_stays_does_not_leak(leaks):
    assert not leaks_in(leaks, "memory", [min(200 + 0.3 * at, 320) for at in MOMENTS])


def test_a_few_spikes_are_no_leak(leaks):
    assert not leaks_in(leaks, "memory", [900.0 if number % 40 == 39 else 200.0 for number in range(len(MOMENTS))])


def test_a_file_left_open_every_two_minutes_leaks(leaks):
    assert leaks_in(leaks, "open files", [30.0 + at // 120 for at in MOMENTS])


def test_one_thread_more_or_less_is_no_leak(leaks):
    assert not leaks_in(leaks, "threads", [20.0 + (at > 900) for at in MOMENTS])
