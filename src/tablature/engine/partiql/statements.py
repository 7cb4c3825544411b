"""The four kinds of statement, with values already bound in place of parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablature.engine.encoding.values import AttributeValue, Item
from tablature.engine.expressions.syntax_tree import ActionNode, ConditionNode, PathNode

Returning: TypeAlias = Literal["ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]


@dataclass(frozen=True, slots=True)
class SelectStatement:
    """`SELECT paths FROM table.index WHERE ... ORDER BY ...`; no paths stands for `*`."""

    table: str
    index: str | None
    paths: tuple[PathNode, ...]
    where: ConditionNode | None
    order: tuple[tuple[str, bool], ...]
    values: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class ExistsStatement:
    """`EXISTS(SELECT ...)`, the condition check of a transaction."""

    select: SelectStatement

    @property
    def table(self) -> str:
        return self.select.table


@dataclass(frozen=True, slots=True)
class InsertStatement:
    """`INSERT INTO table VALUE {...}`."""

    table: str
    item: Item


@dataclass(frozen=True, slots=True)
class UpdateStatement:
    """`UPDATE table SET ... REMOVE ... WHERE ... RETURNING ...`."""

    table: str
    actions: tuple[ActionNode, ...]
    where: ConditionNode | None
    returning: Returning | None
    values: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class DeleteStatement:
    """`DELETE FROM table WHERE ... RETURNING ALL OLD *`."""

    table: str
    where: ConditionNode | None
    returning: Returning | None
    values: Mapping[str, AttributeValue]


Statement: TypeAlias = SelectStatement | ExistsStatement | InsertStatement | UpdateStatement | DeleteStatement
