"""IAM policies for a set of entities or patterns, limited to their partitions if the keys allow it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tablature.output.infrastructure import Names, pascal_case, physical_name
from tablature.schema.model import EntitySchema, IndexPath, PathSchema, PatternSchema, Table
from tablature.schema.templates import KeyPart, TemplateSlot

Access = Literal["read-only", "read-write", "admin"]
ACCESSES: tuple[Access, ...] = ("read-only", "read-write", "admin")
_READ: tuple[str, ...] = ("BatchGetItem", "GetItem", "Query")
_WRITE: tuple[str, ...] = ("BatchWriteItem", "ConditionCheckItem", "DeleteItem", "PutItem", "UpdateItem")
_ADMIN: tuple[str, ...] = (
    "CreateTable",
    "DeleteTable",
    "DescribeContinuousBackups",
    "DescribeTable",
    "DescribeTimeToLive",
    "ListTagsOfResource",
    "Scan",
    "TagResource",
    "UntagResource",
    "UpdateContinuousBackups",
    "UpdateTable",
    "UpdateTimeToLive",
)


@dataclass(frozen=True)
class PolicyScope:
    """What a policy applies to. `bound` replaces key fields by a text, such as a policy variable."""

    region: str = "*"
    account: str = "*"
    names: Names = field(default_factory=dict)
    bound: Mapping[str, str] = field(default_factory=dict)

    def arn(self, table: Table, index: str | None = None) -> str:
        tail = "" if index is None else f"/index/{index}"
        return f"arn:aws:dynamodb:{self.region}:{self.account}:table/{physical_name(table, self.names)}{tail}"


def entity_policy(entities: Iterable[EntitySchema], access: Access, scope: PolicyScope) -> dict[str, Any]:
    """A policy that allows the verbs and patterns of these entities."""
    chosen = list(entities)
    statements = []
    for table in dict.fromkeys(entity.table for entity in chosen):
        table_entities = [entity for entity in chosen if entity.table is table]
        if access == "admin":
            statements.append(_admin(table, scope))
        else:
            statements += [
                _items(table, table_entities, access, scope),
                *_indexes(table, [path for entity in table_entities for path in entity.indexes], scope),
            ]
    return _policy(statements)


def pattern_policy(patterns: Iterable[PatternSchema], scope: PolicyScope) -> dict[str, Any]:
    """A policy that allows only these patterns."""
    chosen = list(patterns)
    statements = []
    for table in dict.fromkeys(pattern.entity.table for pattern in chosen):
        paths = [pattern.path for pattern in chosen if pattern.entity.table is table]
        own = [path for path in paths if path.index is None]
        if own:
            keys = [leading_key(path, table, scope) for path in own]
            sid = f"Query{pascal_case(table.name)}"
            statements.append(_statement(sid, ("Query",), scope.arn(table), keys))
        statements += _indexes(table, [path for path in paths if path.index is not None], scope)
    return _policy(statements)


def _policy(statements: list[dict[str, Any]]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": statements}


def _items(table: Table, entities: list[EntitySchema], access: Access, scope: PolicyScope) -> dict[str, Any]:
    keys = [leading_key(path, table, scope) for e in entities for path in (e.primary, *e.fanouts)]
    actions = _READ
    if access == "read-write":
        actions += _WRITE
        keys += [f"{start}{table.delimiter}*" for start in ("ONCE", *_bookkeeping(table, entities))]
    sid = f"{'Read' if access == 'read-only' else 'ReadAndWrite'}{pascal_case(table.name)}"
    return _statement(sid, actions, scope.arn(table), keys)


def _bookkeeping(table: Table, entities: list[EntitySchema]) -> list[str]:
    """Key prefixes of internal items for these entities."""
    staged = ["STAGING"] if any(entity.fanouts for entity in entities) else []
    return staged + [f"UNIQUE{table.delimiter}{entity.name}" for entity in entities if entity.uniques]


def _indexes(table: Table, paths: list[PathSchema], scope: PolicyScope) -> list[dict[str, Any]]:
    statements = []
    for index in table.indexes:
        keys = [leading_key(path, table, scope) for path in paths if path.index == index.name]
        if keys:
            sid = f"Query{pascal_case(table.name)}{pascal_case(index.name)}"
            statements.append(_statement(sid, ("Query",), scope.arn(table, index.name), keys))
    return statements


def _admin(table: Table, scope: PolicyScope) -> dict[str, Any]:
    arn = scope.arn(table)
    actions = [f"dynamodb:{name}" for name in sorted((*_READ, *_WRITE, *_ADMIN))]
    sid = f"Administer{pascal_case(table.name)}"
    return {"Sid": sid, "Effect": "Allow", "Action": actions, "Resource": [arn, f"{arn}/index/*"]}


def _statement(sid: str, actions: Iterable[str], arn: str, keys: list[str | None]) -> dict[str, Any]:
    statement: dict[str, Any] = {
        "Sid": sid,
        "Effect": "Allow",
        "Action": [f"dynamodb:{name}" for name in sorted(actions)],
        "Resource": arn,
    }
    limited = [key for key in keys if key is not None]
    if len(limited) == len(keys):
        # ForAllValues is true for a request without keys, such as a scan; the second condition denies those.
        statement["Condition"] = {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": sorted(set(limited))},
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
    return statement


def leading_key(path: PathSchema, table: Table, scope: PolicyScope) -> str | None:
    """The partition keys of a path as an IAM pattern; None if they have no fixed part."""
    text = _pattern(path.partition, scope.bound)
    if isinstance(path, IndexPath) and path.shards > 1 and not text.endswith("*"):
        text += f"{table.delimiter}*" if not path.include_unsharded else "*"
    return None if path.partition.wire != "S" or not text.strip("*") else text


def _pattern(part: KeyPart, bound: Mapping[str, str]) -> str:
    text = ""
    for piece in part.template.parts:
        text += bound.get(piece.field, "*") if isinstance(piece, TemplateSlot) else _escape(piece.text)
    return text


def _escape(text: str) -> str:
    """The text with special characters of policies escaped."""
    return "".join(f"${{{char}}}" if char in "*?$" else char for char in text)
