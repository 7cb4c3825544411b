"""Base classes of API models: request and response bodies, pages of a list, and text that can be stored."""

from typing import Annotated, Generic, TypeVar

from fastapi import Path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from almanac.kit.messages import gettext

T = TypeVar("T")
API_PREFIX = "/api/v1"


class ApiModel(BaseModel):
    """Base of request and response bodies. Unknown members are rejected, so that typos are noticed."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Listed(ApiModel, Generic[T]):
    """One page of a list."""

    items: list[T]
    next_cursor: str | None = Field(None, description="Send it as `cursor` for the next page; null on the last one.")


def reject_nul(text: str) -> str:
    """Reject NUL characters, which PostgreSQL can't store."""
    if "\x00" in text:
        raise ValueError(gettext("Remove the NUL character"))
    return text


Text = Annotated[str, AfterValidator(reject_nul), Field(max_length=2000)]
Id = Annotated[str, AfterValidator(reject_nul), Path(min_length=1, max_length=100)]
RowId = Annotated[int, Path(ge=1, le=2**63 - 1)]
