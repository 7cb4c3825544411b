"""Shard iterators of each type, pages, expiry and trimming."""


def keys(records):
    return [record["dynamodb"]["Keys"]["pk"]["S"] for record in records]


def numbers(records):
    return [record["dynamodb"]["SequenceNumber"] for record in records]


def test_each_type_starts_where_it_says(streamed):
    table = streamed()
    for key in "abc":
        table.put(key)
    first, second, _ = numbers(table.records())
    assert keys(table.records("AT_SEQUENCE_NUMBER", SequenceNumber=second)) == ["b", "c"]
    assert keys(table.records("AFTER_SEQUENCE_NUMBER", SequenceNumber=first)) == ["b", "c"]
    latest = table.iterator("LATEST")
    assert table.page(latest)["Records"] == []
    table.put("d")
    assert keys(table.page(latest)["Records"]) == ["d"]


def test_the_first_number_of_a_shard_is_a_place_whatever_other_tables_wrote(streamed, engine):
    table = streamed()
    other = {
        "TableName": "others",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    }
    engine.call("CreateTable", other)
    for key in "xyz":
        engine.call("PutItem", {"TableName": "others", "Item": {"pk": {"S": key}}})
    start = table.describe()["Shards"][0]["SequenceNumberRange"]["StartingSequenceNumber"]
    table.put("a")
    for kind in ("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"):
        assert keys(table.records(kind, SequenceNumber=start)) == ["a"]


def test_pages_follow_each_other_without_gap_or_repeat(streamed):
    table = streamed()
    for key in "abcde":
        table.put(key)
    seen, iterator = [], table.iterator()
    while len(seen) < 5:
        page = table.page(iterator, Limit=2)
        assert len(page["Records"]) <= 2
        seen += keys(page["Records"])
        iterator = page["NextShardIterator"]
    assert seen == list("abcde")
    assert table.page(iterator)["Records"] == []
    table.put("f")
    assert keys(table.page(iterator)["Records"]) == ["f"]


def test_a_page_is_at_most_a_megabyte(streamed):
    table = streamed("NEW_IMAGE")
    for key in "abcd":
        table.put(key, big="x" * 390_000)
    page = table.page(table.iterator())
    assert keys(page["Records"]) == ["a", "b"]
    assert keys(table.page(page["NextShardIterator"])["Records"]) == ["c", "d"]


def test_an_iterator_expires_after_fifteen_minutes(streamed, clock, refused):
    table = streamed()
    iterator = table.iterator()
    clock.now += 15 * 60
    assert table.page(iterator)["Records"] == []
    clock.now += 1
    assert refused("GetRecords", ShardIterator=iterator).startswith("ExpiredIteratorException: ")


def test_records_are_trimmed_after_a_day(streamed, clock, refused):
    table = streamed()
    table.put("a")
    (first,) = numbers(table.records())
    clock.now += 86_000
    table.put("b")
    clock.now += 1_000
    assert keys(table.records()) == ["b"]
    shard = table.describe()["Shards"][0]["ShardId"]
    assert refused(
        "GetShardIterator",
        StreamArn=table.arn,
        ShardId=shard,
        ShardIteratorType="AT_SEQUENCE_NUMBER",
        SequenceNumber=first,
    ).startswith("TrimmedDataAccessException: ")


def test_nonsense_is_refused(streamed, refused):
    table = streamed()
    shard = table.describe()["Shards"][0]["ShardId"]
    for nonsense in ("x", f"{table.arn}|1|!!!", f"{table.arn}|1|e30="):
        assert refused("GetRecords", ShardIterator=nonsense) == "ValidationException: Invalid ShardIterator"
    request = {"StreamArn": table.arn, "ShardId": shard}
    assert "Member must satisfy enum value set" in refused("GetShardIterator", **request, ShardIteratorType="FIRST")
    assert refused("GetShardIterator", **request, ShardIteratorType="AT_SEQUENCE_NUMBER").startswith(
        "ValidationException: "
    )
    other = request | {"ShardId": shard[:-1] + "x"}
    assert refused("GetShardIterator", **other, ShardIteratorType="LATEST").startswith("ResourceNotFoundException: ")
