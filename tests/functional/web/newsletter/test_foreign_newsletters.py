"""Newsletters of another program in the same table: whatever their statuses, they are read and left to its work."""

import pytest

CODE = "NL-20260126-A1B2"


@pytest.fixture
async def store_foreign(services, editor):
    """Stores a newsletter as another program would, and its steps by the sort key."""
    name, send = services.settings.newsletter_table, services.tables.transport.send_async
    owner = (await editor.http.get("/api/v1/me")).json()["id"]

    async def store(**steps):
        metadata = {
            "GSI1PK": {"S": f"USER#{owner}"},
            "GSI1SK": {"S": "NEWSLETTER#2026-01-26T10:30:00Z"},
            "newsletterCode": {"S": CODE},
            "title": {"S": "Weekly Research Digest"},
            "user_id": {"S": owner},
            "created_at": {"S": "2026-01-26T10:30:00Z"},
            "updated_at": {"S": "2026-01-26T10:30:00Z"},
        }
        for key, fields in {"METADATA": {}, **steps}.items():
            values = {field: {"S": value} for field, value in fields.items()}
            item = {"PK": {"S": f"NEWSLETTER#{CODE}"}, "SK": {"S": key}, **(metadata if key == "METADATA" else {})}
            await send("PutItem", {"TableName": name, "Item": {**item, **values}})

    return store


async def test_an_unknown_status_costs_nobody_their_list(editor, store_foreign):
    own = await editor.begin(title="Ours")
    await store_foreign(METADATA={"status": "archived"}, TOPICS={"retrieval_status": "queued"})
    listed = (await editor.http.get("/api/v1/newsletters")).json()["items"]
    assert {item["code"]: item["status"] for item in listed} == {CODE: "archived", own: "draft"}
    full = await editor.get(f"{CODE}/full")
    assert full["topics"]["retrieval_status"] == "pending"


async def test_a_newsletter_with_an_unknown_status_is_not_finished(editor, store_foreign):
    await store_foreign(
        METADATA={"status": "archived"}, DRAFT={"draft_status": "completed", "generated_content": "Hi."}
    )
    answer = await editor.send("POST", f"{CODE}/exports/pdf")
    assert answer.status_code == 409


async def test_a_step_that_another_program_works_on_is_left_to_it(editor, store_foreign, clock):
    begun = clock.now().isoformat()
    await store_foreign(TOPICS={"retrieval_status": "processing", "retrieval_started_at": begun})
    assert (await editor.choose(CODE, "livestock"))["retrieval_status"] == "processing"
    for path in ("retrieve", "steps/retrieval/cancel"):
        answer = await editor.send("POST", f"{CODE}/{path}")
        assert answer.status_code == 409
        assert "Another program is working on this" in answer.json()["detail"]
    clock.advance(hours=2)
    progress = await editor.get(f"{CODE}/progress")
    assert (progress[0]["status"], progress[0]["error"]) == (
        "failed",
        "Another program began this and didn't finish it; start it again here.",
    )
    assert (await editor.send("POST", f"{CODE}/retrieve")).status_code == 202
