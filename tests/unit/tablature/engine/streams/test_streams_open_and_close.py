"""Streams as ListStreams and DescribeStream show them, while they are open and after they are closed."""


def test_an_open_stream_has_one_open_shard(streamed):
    table = streamed("KEYS_ONLY")
    stream = table.describe()
    assert (stream["StreamStatus"], stream["StreamViewType"], stream["TableName"]) == ("ENABLED", "KEYS_ONLY", "orders")
    assert stream["KeySchema"] == [{"AttributeName": "pk", "KeyType": "HASH"}]
    (shard,) = stream["Shards"]
    assert 28 <= len(shard["ShardId"]) <= 65
    assert set(shard["SequenceNumberRange"]) == {"StartingSequenceNumber"}


def test_a_closed_stream_is_read_to_its_end(streamed, engine):
    table = streamed()
    table.put("a")
    table.switch_off()
    table.put("b")
    stream = table.describe()
    assert stream["StreamStatus"] == "DISABLED"
    assert "EndingSequenceNumber" in stream["Shards"][0]["SequenceNumberRange"]
    page = table.page(table.iterator())
    assert [record["dynamodb"]["Keys"]["pk"]["S"] for record in page["Records"]] == ["a"]
    assert "NextShardIterator" not in page


def test_a_deleted_tables_stream_stays_for_a_day(streamed, engine, clock, refused):
    table = streamed()
    table.put("a")
    engine.call("DeleteTable", {"TableName": "orders"})
    assert len(table.records()) == 1
    assert [stream["StreamArn"] for stream in engine.call("ListStreams", {})["Streams"]] == [table.arn]
    clock.now += 86_401
    assert engine.call("ListStreams", {})["Streams"] == []
    assert refused("DescribeStream", StreamArn=table.arn) == (
        f"ResourceNotFoundException: Requested resource not found: Stream: {table.arn} not found"
    )


def test_streams_are_listed_in_pages(streamed, engine, clock):
    table = streamed()
    for _ in range(2):
        table.switch_off()
        clock.now += 1
        on = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
        engine.call("UpdateTable", {"TableName": "orders", "StreamSpecification": on})
    listed, request = [], {"TableName": "orders", "Limit": 2}
    while True:
        page = engine.call("ListStreams", request)
        listed += [stream["StreamLabel"] for stream in page["Streams"]]
        if "LastEvaluatedStreamArn" not in page:
            break
        request["ExclusiveStartStreamArn"] = page["LastEvaluatedStreamArn"]
    assert len(listed) == 3
    assert listed == sorted(set(listed))
    assert engine.call("ListStreams", {"TableName": "other"})["Streams"] == []


def test_a_malformed_arn_is_refused(refused):
    assert "Member must have length greater than or equal to 37" in refused("DescribeStream", StreamArn="x")
    assert refused("DescribeStream", StreamArn="x" * 40) == "ValidationException: Invalid StreamArn"
