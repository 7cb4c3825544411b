"""FastAPI can accept and return entities, and describes them by their fields."""

from datetime import datetime
from typing import Annotated, Literal

import httpx
import pytest
from fastapi import Body, FastAPI
from pydantic import TypeAdapter, ValidationError

from tablature import Attr, Entity, Table, attr, auto_now_add, primary


class Letter(Entity, table=Table("letters", pk="PK")):
    id: Attr[str]
    opens: Attr[int] = attr(default=0)
    status: Attr[Literal["draft", "sent"]] = attr(default="draft")
    tags: Attr[set[str]]
    created_at: Attr[datetime] = auto_now_add()

    key = primary("LETTER#{id}")


app = FastAPI()


@app.post("/letters")
def receive(letter: Annotated[Letter, Body()]) -> Letter:
    assert isinstance(letter, Letter)
    letter.opens += 1
    return letter


@pytest.fixture
async def client():
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        yield client


async def test_an_entity_is_accepted_and_returned(client):
    answer = await client.post("/letters", json={"id": "1", "tags": ["a"], "created_at": "2026-01-26T10:30:00Z"})
    assert answer.json() == {
        "id": "1",
        "opens": 1,
        "status": "draft",
        "tags": ["a"],
        "created_at": "2026-01-26T10:30:00Z",
    }


async def test_wrong_fields_are_told(client):
    answer = await client.post("/letters", json={"id": "1", "status": "lost"})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "status"]


async def test_the_description_lists_the_fields(client):
    schema = (await client.get("/openapi.json")).json()["components"]["schemas"]
    described = next(value for name, value in schema.items() if name.startswith("Letter"))
    assert described["required"] == ["id"]
    assert described["properties"]["status"]["enum"] == ["draft", "sent"]


def test_an_instance_passes_as_it_is():
    letter = Letter(id="1")
    adapter = TypeAdapter(Letter)
    assert adapter.validate_python(letter) is letter
    assert adapter.validate_python({"id": "2"}).id == "2"
    with pytest.raises(ValidationError):
        adapter.validate_python({"opens": 1})
