"""Two orders made one by reciprocal rank: near the top of both comes before near the top of either."""

from collections.abc import Sequence

from almanac.search.index import Place
from almanac.search.store import Near

# The usual constant: large enough that the first few places of one list don't outweigh both lists together.
_SMOOTHING = 60
_SCALE = 1_000_000_000


def fused(ranked: Sequence[Place], near: Sequence[Near]) -> list[Place]:
    """Every document of both lists, best first."""
    moments = {place.id: place.moment for place in ranked} | {one.id: one.moment for one in near}
    scores = dict.fromkeys(moments, 0)
    for order in ([place.id for place in ranked], [one.id for one in near]):
        for rank, number in enumerate(order, 1):
            scores[number] += _SCALE // (_SMOOTHING + rank)
    places = [Place(score, moments[number], number) for number, score in scores.items()]
    return sorted(places, reverse=True)
