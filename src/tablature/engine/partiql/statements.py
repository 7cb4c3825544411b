"""The four kinds of statement, with values already bound in place of parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tablature.engine.expressions.nodes import ActionNode, ConditionNode, PathNode
from tablature.engine.values import AttributeValue, Item

Returning: TypeAlias = Literal["ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]


@dataclass(frozen=True, slots=True)
class Select:
    """`SELECT paths FROM table.index WHERE ... ORDER BY ...`; no paths stands for `*`."""

    table: str
    index: str | None
    paths: tuple[PathNode, ...]
    where: ConditionNode | None
    order: tuple[tuple[str, bool], ...]
    values: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class Exists:
    """`EXISTS(SELECT ...)`, the condition check of a transaction."""

    select: Select

    @property
    def table(self) -> str:
        return self.select.table


@dataclass(frozen=True, slots=True)
class Insert:
    """`INSERT INTO table VALUE {...}`."""

    table: str
    item: Item


@dataclass(frozen=True, slots=True)
class Update:
    """`UPDATE table SET ... REMOVE ... WHERE ... RETURNING ...`."""

    table: str
    actions: tuple[ActionNode, ...]
    where: ConditionNode | None
    returning: Returning | None
    values: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class Delete:
    """`DELETE FROM table WHERE ... RETURNING ALL OLD *`."""

    table: str
    where: ConditionNode | None
    returning: Returning | None
    values: Mapping[str, AttributeValue]


Statement: TypeAlias = Select | Exists | Insert | Update | Delete
