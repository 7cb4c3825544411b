"""Whatever is asked of the engine, it answers as a dictionary of items would, including its indexes and pages."""

from decimal import Decimal
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

PARTITIONS = st.sampled_from(["a", "b", "ü"])
SORTS = st.sampled_from(["-3", "-2.5", "0", "1", "2", "10", "1e20"])
OWNERS = st.sampled_from([None, "x", "y"])
AMOUNTS = st.integers(-5, 5)
KEY = st.tuples(PARTITIONS, SORTS)
TABLE = {
    "TableName": "things",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "owner", "AttributeType": "S"},
        {"AttributeName": "n", "AttributeType": "N"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_owner",
            "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "by_amount",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
}

Key = tuple[str, Decimal]
Thing = dict[str, Any]


def plain(number: str) -> str:
    return f"{Decimal(number):f}"


def thing(key: tuple[str, str], owner: str | None, amount: int) -> Thing:
    item: Thing = {"pk": {"S": key[0]}, "sk": {"N": plain(key[1])}, "n": {"N": str(amount)}}
    return item if owner is None else item | {"owner": {"S": owner}}


def wire_key(key: tuple[str, str]) -> Thing:
    return {"pk": {"S": key[0]}, "sk": {"N": key[1]}}


class Comparison(RuleBasedStateMachine):
    """The engine beside a dictionary from keys to items."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = Engine.memory()
        self.engine.call("CreateTable", TABLE)
        self.model: dict[Key, Thing] = {}

    def teardown(self) -> None:
        self.engine.close()

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        return self.engine.call(operation, request)

    def outcome(self, operation: str, **request: Any) -> str:
        try:
            self.call(operation, **request)
        except EngineError as error:
            return error.code
        return "done"

    @rule(key=KEY, owner=OWNERS, amount=AMOUNTS)
    def put(self, key: tuple[str, str], owner: str | None, amount: int) -> None:
        item = thing(key, owner, amount)
        answer = self.call("PutItem", TableName="things", Item=item, ReturnValues="ALL_OLD")
        place = (key[0], Decimal(key[1]))
        assert answer.get("Attributes") == self.model.get(place)
        self.model[place] = item

    @rule(key=KEY, amount=AMOUNTS)
    def add(self, key: tuple[str, str], amount: int) -> None:
        answer = self.call(
            "UpdateItem",
            TableName="things",
            Key=wire_key(key),
            UpdateExpression="ADD n :n",
            ExpressionAttributeValues={":n": {"N": str(amount)}},
            ReturnValues="ALL_NEW",
        )
        place = (key[0], Decimal(key[1]))
        old = self.model.get(place, thing(key, None, 0))
        self.model[place] = old | {"n": {"N": str(int(old["n"]["N"]) + amount)}}
        assert answer["Attributes"] == self.model[place]

    @rule(key=KEY)
    def disown(self, key: tuple[str, str]) -> None:
        self.call(
            "UpdateItem",
            TableName="things",
            Key=wire_key(key),
            UpdateExpression="REMOVE #o",
            ExpressionAttributeNames={"#o": "owner"},
        )
        self.model.get((key[0], Decimal(key[1])), {}).pop("owner", None)

    @rule(key=KEY, amount=AMOUNTS)
    def delete_if(self, key: tuple[str, str], amount: int) -> None:
        place = (key[0], Decimal(key[1]))
        holds = place in self.model and int(self.model[place]["n"]["N"]) > amount
        outcome = self.outcome(
            "DeleteItem",
            TableName="things",
            Key=wire_key(key),
            ConditionExpression="n > :n",
            ExpressionAttributeValues={":n": {"N": str(amount)}},
        )
        assert outcome == ("done" if holds else "ConditionalCheckFailedException")
        if holds:
            del self.model[place]

    @rule(keys=st.lists(KEY, min_size=2, max_size=3, unique_by=lambda key: (key[0], Decimal(key[1]))), amount=AMOUNTS)
    def move_together(self, keys: list[tuple[str, str]], amount: int) -> None:
        """Delete one item and put the others, if the first exists."""
        first, *others = keys
        place = (first[0], Decimal(first[1]))
        actions: list[dict[str, Any]] = [
            {"Delete": {"TableName": "things", "Key": wire_key(first), "ConditionExpression": "attribute_exists(pk)"}}
        ]
        actions += [{"Put": {"TableName": "things", "Item": thing(key, "x", amount)}} for key in others]
        holds = place in self.model
        outcome = self.outcome("TransactWriteItems", TransactItems=actions)
        assert outcome == ("done" if holds else "TransactionCanceledException")
        if holds:
            del self.model[place]
            self.model |= {(key[0], Decimal(key[1])): thing(key, "x", amount) for key in others}

    def pages(self, operation: str, limit: int, **request: Any) -> list[Thing]:
        items: list[Thing] = []
        start: Thing = {}
        while True:
            answer = self.call(operation, TableName="things", Limit=limit, **request, **start)
            assert answer["Count"] <= limit
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return items
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}

    @rule(partition=PARTITIONS, low=SORTS, forward=st.booleans(), limit=st.integers(1, 4))
    def query(self, partition: str, low: str, forward: bool, limit: int) -> None:
        items = self.pages(
            "Query",
            limit,
            KeyConditionExpression="pk = :p AND sk >= :s",
            ExpressionAttributeValues={":p": {"S": partition}, ":s": {"N": low}},
            ScanIndexForward=forward,
        )
        places = sorted(place for place in self.model if place[0] == partition and place[1] >= Decimal(low))
        assert items == [self.model[place] for place in (places if forward else reversed(places))]

    @rule(owner=st.sampled_from(["x", "y"]), forward=st.booleans(), limit=st.integers(1, 4))
    def query_the_global_index(self, owner: str, forward: bool, limit: int) -> None:
        items = self.pages(
            "Query",
            limit,
            IndexName="by_owner",
            KeyConditionExpression="#o = :o",
            ExpressionAttributeNames={"#o": "owner"},
            ExpressionAttributeValues={":o": {"S": owner}},
            ScanIndexForward=forward,
        )
        amounts = [int(item["n"]["N"]) for item in items]
        assert amounts == sorted(amounts, reverse=not forward)
        expected = [item for item in self.model.values() if item.get("owner") == {"S": owner}]
        assert by_key(items) == by_key(expected)

    @rule(partition=PARTITIONS, limit=st.integers(1, 4))
    def query_the_local_index(self, partition: str, limit: int) -> None:
        items = self.pages(
            "Query",
            limit,
            IndexName="by_amount",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": partition}},
        )
        expected = [
            {name: value for name, value in item.items() if name != "owner"}
            for item in self.model.values()
            if item["pk"]["S"] == partition
        ]
        assert by_key(items) == by_key(expected)

    @rule(segments=st.integers(1, 5), limit=st.integers(1, 4))
    def scan_in_segments(self, segments: int, limit: int) -> None:
        items = [
            item
            for segment in range(segments)
            for item in self.pages("Scan", limit, Segment=segment, TotalSegments=segments)
        ]
        assert by_key(items) == self.model

    @precondition(lambda self: self.model)
    @invariant()
    def counts_are_exact(self) -> None:
        table = self.call("DescribeTable", TableName="things")["Table"]
        assert table["ItemCount"] == len(self.model)
        owned = sum("owner" in item for item in self.model.values())
        assert table["GlobalSecondaryIndexes"][0]["ItemCount"] == owned

    @invariant()
    def the_file_is_sound(self) -> None:
        assert self.engine.storage.check() == []


def by_key(items: list[Thing]) -> dict[Key, Thing]:
    keyed = {(item["pk"]["S"], Decimal(item["sk"]["N"])): item for item in items}
    assert len(keyed) == len(items)
    return keyed


TestTheEngineBehavesAsAPlainModel = Comparison.TestCase
TestTheEngineBehavesAsAPlainModel.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
