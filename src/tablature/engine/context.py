"""What every operation needs: storage, the clock, and the region and account of the service."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablature.engine.errors import resource_not_found
from tablature.engine.storage import Storage, StoredTable
from tablature.engine.tables.lookup import Arns
from tablature.engine.validation.shapes import short_name

Request = dict[str, Any]
Response = dict[str, Any]


@dataclass(frozen=True, slots=True)
class EngineContext:
    """The engine as its operations see it."""

    storage: Storage
    clock: Callable[[], float]
    region: str = "us-east-1"
    account: str = "000000000000"

    def table(self, name: str) -> StoredTable:
        """The table with a name or ARN. Raises ResourceNotFoundException if it doesn't exist."""
        table = self.storage.table(short_name(name))
        if table is None or table.schema.status == "CREATING":
            raise resource_not_found()
        return table

    @property
    def arns(self) -> Arns:
        """ARNs in this region and account."""
        return Arns(self.region, self.account)
