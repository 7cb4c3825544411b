"""What an operation is given to work with beside its request."""

from dataclasses import dataclass

from tablature.engine.storage import Storage


@dataclass(frozen=True, slots=True)
class Context:
    """The database that an operation reads and writes."""

    storage: Storage
