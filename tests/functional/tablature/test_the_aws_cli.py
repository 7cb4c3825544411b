"""The AWS CLI as a client."""

import json


def test_a_table_is_created_filled_and_read(aws):
    created = aws(
        "dynamodb",
        "create-table",
        "--table-name",
        "orders",
        "--attribute-definitions",
        "AttributeName=pk,AttributeType=S",
        "--key-schema",
        "AttributeName=pk,KeyType=HASH",
        "--billing-mode",
        "PAY_PER_REQUEST",
    )
    assert created.returncode == 0, created.stderr
    put = aws("dynamodb", "put-item", "--table-name", "orders", "--item", '{"pk": {"S": "a"}, "n": {"N": "1"}}')
    assert put.returncode == 0, put.stderr
    got = aws("dynamodb", "get-item", "--table-name", "orders", "--key", '{"pk": {"S": "a"}}')
    assert json.loads(got.stdout) == {"Item": {"pk": {"S": "a"}, "n": {"N": "1"}}}


def test_a_refusal_is_shown_with_its_sentence(aws):
    missing = aws("dynamodb", "describe-table", "--table-name", "missing")
    assert missing.returncode != 0
    assert "ResourceNotFoundException" in missing.stderr
    assert "Requested resource not found: Table: missing not found" in missing.stderr
