"""Building blocks of API models: pages of a list, and text that can be stored."""

from typing import Annotated, Generic, TypeVar

from fastapi import Path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

T = TypeVar("T")
API_PREFIX = "/api/v1"


class Model(BaseModel):
    """The base of what the API takes and gives; members that nobody knows are refused, so that a slip is noticed."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Listed(Model, Generic[T]):
    """One page of a list."""

    items: list[T]
    next_cursor: str | None = Field(
        None, description="Send it as `cursor` for the next page; null where the list ends."
    )


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("Leave out the character of code zero")
    return text


Text = Annotated[str, AfterValidator(_storable), Field(max_length=2000)]
Id = Annotated[str, AfterValidator(_storable), Path(min_length=1, max_length=100)]
RowId = Annotated[int, Path(ge=1, le=2**63 - 1)]
