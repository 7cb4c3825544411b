"""Names that the outputs share: the physical name of a table, and identifiers made from it."""

import re
from collections.abc import Mapping

from tablature.schema.model import Table

Names = Mapping[str, str]


def physical(table: Table, names: Names) -> str:
    """The name of the table at the service."""
    return names.get(table.name, table.name)


def pascal(name: str) -> str:
    """An identifier of letters and digits: `email_tracking` becomes `EmailTracking`."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", name))


def snake(name: str) -> str:
    """An identifier with underscores, which begins with a letter."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()
    return plain if plain[:1].isalpha() else f"table_{plain}"
