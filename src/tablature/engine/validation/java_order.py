"""The order in which Java hash sets and maps list their entries. The service's messages show it."""

from collections.abc import Iterable

DEFAULT_CAPACITY = 16
_LOAD_FACTOR = 0.75


def hash_set_text(names: Iterable[str], capacity: int = DEFAULT_CAPACITY) -> str:
    """Names as a `HashSet` with the given initial capacity prints them: `[a, b]`."""
    members = list(dict.fromkeys(names))
    return f"[{', '.join(hash_order(members, len(members), capacity))}]"


def sized_hash_set_text(names: Iterable[str]) -> str:
    """Names as a `HashSet` created for exactly that many members prints them."""
    members = list(names)
    return hash_set_text(members, max(1, len(members)))


def hash_order(keys: Iterable[str], count: int, capacity: int = DEFAULT_CAPACITY) -> list[str]:
    """Keys in the order of a hash table with `count` entries, of which the keys may be only some."""
    size = 1 << max(0, capacity - 1).bit_length()
    while count > size * _LOAD_FACTOR:
        size *= 2
    return sorted(keys, key=lambda key: _bucket(key, size))


def _bucket(name: str, size: int) -> int:
    code = 0
    units = name.encode("utf-16-be", "surrogatepass")
    for position in range(0, len(units), 2):
        code = (31 * code + int.from_bytes(units[position : position + 2])) & 0xFFFFFFFF
    return (code ^ (code >> 16)) & (size - 1)
