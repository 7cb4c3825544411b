"""Several statements at once: each answered on its own in a batch, all or none in a transaction."""

from collections.abc import Callable
from typing import Any

import pytest

from tablature.engine.errors import EngineError

pytestmark = pytest.mark.usefixtures("albums")

SELECT = "SELECT year FROM Music WHERE artist='Ada' AND year="
INSERT = "INSERT INTO Music VALUE {'artist': 'Ada', 'year': 50}"


@pytest.fixture
def batch(engine) -> Callable[..., dict[str, Any]]:
    def run(*statements: str, **members: Any) -> dict[str, Any]:
        asked = [{"Statement": statement} for statement in statements]
        return engine.call("BatchExecuteStatement", {"Statements": asked, **members})

    return run


@pytest.fixture
def transact(engine) -> Callable[..., dict[str, Any]]:
    def run(*statements: str, **members: Any) -> dict[str, Any]:
        asked = [{"Statement": statement} for statement in statements]
        return engine.call("ExecuteTransaction", {"TransactStatements": asked, **members})

    return run


def _refusal(run, *statements, **members):
    with pytest.raises(EngineError) as caught:
        run(*statements, **members)
    return caught.value


def test_each_statement_of_a_batch_has_its_own_answer(batch):
    responses = batch(
        SELECT + "2",
        SELECT + "77",
        "SELECT * FROM Music WHERE artist='Ada'",
        "SELECT * FROM Nothing WHERE a=1",
        "UPDATE Music",
    )["Responses"]
    assert responses == [
        {"TableName": "Music", "Item": {"year": {"N": "2"}}},
        {"TableName": "Music"},
        {
            "Error": {
                "Code": "ValidationError",
                "Message": "Select statements within BatchExecuteStatement must specify the primary key "
                "in the where clause.",
            }
        },
        {"Error": {"Code": "ResourceNotFound", "Message": "Requested resource not found"}},
        {
            "Error": {
                "Code": "ValidationError",
                "Message": "Statement wasn't well formed, can't be processed: Expected data manipulation",
            }
        },
    ]


def test_a_failed_write_leaves_the_others_of_its_batch(engine, batch):
    responses = batch(
        INSERT,
        INSERT,
        "UPDATE Music SET a = 1 WHERE artist='Ada' AND year=77",
        "DELETE FROM Music WHERE artist='Ada' AND year=1 RETURNING ALL OLD *",
    )["Responses"]
    assert responses[0] == {"TableName": "Music"}
    assert responses[1] == {
        "TableName": "Music",
        "Error": {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"},
    }
    assert responses[2] == {
        "TableName": "Music",
        "Error": {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"},
    }
    assert responses[3]["Item"]["year"] == {"N": "1"}


def test_reads_and_writes_are_not_mixed_in_a_batch(batch):
    assert _refusal(batch, SELECT + "1", INSERT).message == (
        "Read and write requests together in the same batch is not supported."
    )


def test_a_batch_has_at_most_25_statements(batch):
    assert _refusal(batch, *[SELECT + "1"] * 26).message.endswith("Member must have length less than or equal to 25")


def test_a_batch_tells_the_capacity_of_each_statement(batch):
    response = batch(SELECT + "1", SELECT + "2", ReturnConsumedCapacity="TOTAL")
    assert response["ConsumedCapacity"] == [{"TableName": "Music", "CapacityUnits": 0.5}] * 2


def test_a_transaction_reads_items_together(transact):
    assert transact(SELECT + "1", SELECT + "77", SELECT + "2")["Responses"] == [
        {"Item": {"year": {"N": "1"}}},
        {},
        {"Item": {"year": {"N": "2"}}},
    ]


def test_a_transaction_writes_all_or_nothing(engine, transact):
    exists = "EXISTS(SELECT * FROM Music WHERE artist='Ada' AND year=1 AND genre='none')"
    error = _refusal(transact, INSERT, exists)
    assert error.code == "TransactionCanceledException"
    assert [reason["Code"] for reason in error.fields["CancellationReasons"]] == ["None", "ConditionalCheckFailed"]
    key = {"artist": {"S": "Ada"}, "year": {"N": "50"}}
    assert "Item" not in engine.call("GetItem", {"TableName": "Music", "Key": key})
    transact(INSERT, exists.replace("none", "odd"), "DELETE FROM Music WHERE artist='Ada' AND year=2")
    assert "Item" in engine.call("GetItem", {"TableName": "Music", "Key": key})


def test_an_existing_item_cancels_the_insert_of_a_transaction(transact):
    error = _refusal(transact, "INSERT INTO Music VALUE {'artist': 'Ada', 'year': 1}")
    assert error.fields["CancellationReasons"] == [
        {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}
    ]


def test_a_repeated_token_repeats_nothing(transact):
    add = "UPDATE Music SET plays = if_not_exists(plays, 0) + 1 WHERE artist='Ada' AND year=1"
    transact(add, ClientRequestToken="once")
    transact(add, ClientRequestToken="once")
    stored = transact("SELECT plays FROM Music WHERE artist='Ada' AND year=1")["Responses"]
    assert stored == [{"Item": {"plays": {"N": "1"}}}]
    assert _refusal(transact, INSERT, ClientRequestToken="once").code == "IdempotentParameterMismatchException"


def test_faults_of_keys_and_tables_cancel_a_transaction(transact):
    error = _refusal(
        transact,
        "UPDATE Music SET a = 1 WHERE artist='Ada'",
        "DELETE FROM Nothing WHERE a = 1",
        "INSERT INTO Music VALUE {'artist': 'Ada'}",
    )
    assert error.fields["CancellationReasons"] == [
        {"Code": "ValidationError", "Message": "The provided key element does not match the schema"},
        {"Code": "ResourceNotFound", "Message": "Requested resource not found"},
        {
            "Code": "ValidationError",
            "Message": "One or more parameter values were invalid: Missing the key year in the item",
        },
    ]


REFUSED = [
    (
        ("UPDATE Music SET a = 1 WHERE artist='Ada' AND year=1 RETURNING ALL NEW *",),
        "Validation failed in TransactStatements[0]: RETURNING clause is not supported in ExecuteTransaction.",
    ),
    (
        (INSERT, "EXISTS(SELECT * FROM Music WHERE artist='Ada' AND year=1)"),
        (
            "Validation failed in TransactStatements[1]: "
            "EXISTS() must contain a single item read with additional condition"
        ),
    ),
    (
        (SELECT + "1", INSERT),
        "ExecuteTransaction API does not support both read and write operations in the same request.",
    ),
    (
        (SELECT + "1 AND genre='odd'",),
        (
            "Validation failed in TransactStatements[0]: "
            "Select statements within ExecuteTransaction must specify the primary key in the where clause."
        ),
    ),
    (
        (SELECT + "1", """SELECT * FROM "Music"."by-genre" WHERE genre='odd'"""),
        "Validation failed in TransactStatements[1]: Reads on indices are not supported within transactions.",
    ),
    (
        (INSERT, "UPDATE Music"),
        (
            "Validation failed in TransactStatements[1]: "
            "Statement wasn't well formed, can't be processed: Expected data manipulation"
        ),
    ),
    ((INSERT, INSERT), "Transaction request cannot include multiple operations on one item"),
]


@pytest.mark.parametrize(("statements", "sentence"), REFUSED)
def test_a_faulty_transaction_is_refused(transact, statements, sentence):
    assert _refusal(transact, *statements).message == sentence
