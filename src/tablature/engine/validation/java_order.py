"""The order in which the service's Java sets list their members, which its messages show."""

from collections.abc import Iterable

DEFAULT_CAPACITY = 16
_LOAD_FACTOR = 0.75


def hash_set_text(names: Iterable[str], capacity: int = DEFAULT_CAPACITY) -> str:
    """Print names as a `HashSet` of the given initial capacity does: `[a, b]`."""
    return f"[{', '.join(_in_set_order(list(dict.fromkeys(names)), capacity))}]"


def sized_hash_set_text(names: Iterable[str]) -> str:
    """Print names as a `HashSet` made for exactly that many members does."""
    members = list(names)
    return hash_set_text(members, max(1, len(members)))


def _in_set_order(names: list[str], capacity: int) -> list[str]:
    size = 1 << max(0, capacity - 1).bit_length()
    while len(names) > size * _LOAD_FACTOR:
        size *= 2
    return sorted(names, key=lambda name: _bucket(name, size))


def _bucket(name: str, size: int) -> int:
    code = 0
    units = name.encode("utf-16-be", "surrogatepass")
    for position in range(0, len(units), 2):
        code = (31 * code + int.from_bytes(units[position : position + 2])) & 0xFFFFFFFF
    return (code ^ (code >> 16)) & (size - 1)
