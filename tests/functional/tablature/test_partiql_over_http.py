"""PartiQL as boto3 users meet it: over HTTP, with boto3's own errors and paginator."""

import pytest
from botocore.exceptions import ClientError

TABLE = "music"


@pytest.fixture
def music(client):
    client.create_table(
        TableName=TABLE,
        KeySchema=[
            {"AttributeName": "artist", "KeyType": "HASH"},
            {"AttributeName": "song", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "artist", "AttributeType": "S"},
            {"AttributeName": "song", "AttributeType": "S"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    return client


def _insert(client, song, cover=b"\x00\xff"):
    client.execute_statement(
        Statement=f"""INSERT INTO "{TABLE}" VALUE {{'artist': ?, 'song': ?, 'cover': ?}}""",
        Parameters=[{"S": "Ada"}, {"S": song}, {"B": cover}],
    )


def test_what_was_inserted_is_selected(music):
    _insert(music, "one")
    answer = music.execute_statement(Statement=f"SELECT * FROM {TABLE} WHERE artist = 'Ada' AND begins_with(song, 'o')")
    assert answer["Items"] == [{"artist": {"S": "Ada"}, "song": {"S": "one"}, "cover": {"B": b"\x00\xff"}}]


def test_a_second_insert_of_a_key_is_boto3s_duplicate_error(music):
    _insert(music, "one")
    with pytest.raises(music.exceptions.DuplicateItemException):
        _insert(music, "one")


def test_a_failed_condition_carries_the_item_when_asked(music):
    _insert(music, "one")
    with pytest.raises(music.exceptions.ConditionalCheckFailedException) as caught:
        music.execute_statement(
            Statement=f"UPDATE {TABLE} SET plays = 1 WHERE artist='Ada' AND song='one' AND plays = 7",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert caught.value.response["Item"]["song"] == {"S": "one"}


def test_pages_follow_each_other_by_token(music):
    for number in range(5):
        _insert(music, f"song {number}")
    songs, token = [], {}
    while True:
        page = music.execute_statement(Statement=f"SELECT song FROM {TABLE} WHERE artist='Ada'", Limit=2, **token)
        songs += [item["song"]["S"] for item in page["Items"]]
        if "NextToken" not in page:
            break
        token = {"NextToken": page["NextToken"]}
    assert songs == [f"song {number}" for number in range(5)]


def test_a_transaction_tells_why_it_was_cancelled(music):
    _insert(music, "one")
    with pytest.raises(music.exceptions.TransactionCanceledException) as caught:
        music.execute_transaction(
            TransactStatements=[
                {"Statement": f"INSERT INTO {TABLE} VALUE {{'artist': 'Ada', 'song': 'two'}}"},
                {"Statement": f"INSERT INTO {TABLE} VALUE {{'artist': 'Ada', 'song': 'one'}}"},
            ]
        )
    assert [reason["Code"] for reason in caught.value.response["CancellationReasons"]] == ["None", "DuplicateItem"]


def test_a_batch_answers_each_statement(music):
    _insert(music, "one")
    answers = music.batch_execute_statement(
        Statements=[
            {"Statement": f"SELECT song FROM {TABLE} WHERE artist='Ada' AND song='one'"},
            {"Statement": f"SELECT song FROM {TABLE} WHERE artist='Ada'"},
        ]
    )["Responses"]
    assert answers[0]["Item"] == {"song": {"S": "one"}}
    assert answers[1]["Error"]["Code"] == "ValidationError"


def test_a_malformed_statement_is_a_validation_error(music):
    with pytest.raises(ClientError, match="Statement wasn't well formed, can't be processed: Unexpected term"):
        music.execute_statement(Statement=f"SELECT * FROM {TABLE} WHERE")
