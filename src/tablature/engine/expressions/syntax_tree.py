"""The syntax trees of the four expression grammars, with unresolved placeholders."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class NameRef:
    """A `#` placeholder inside a path."""

    key: str


@dataclass(frozen=True, slots=True)
class PathNode:
    """A document path as written: attribute names, placeholders for them, and list indexes."""

    parts: tuple[str | int | NameRef, ...]

    @property
    def name_keys(self) -> tuple[str, ...]:
        """The placeholders in the path, in order."""
        return tuple(part.key for part in self.parts if isinstance(part, NameRef))


@dataclass(frozen=True, slots=True)
class ValueNode:
    """A `:` placeholder."""

    name: str


@dataclass(frozen=True, slots=True)
class CallNode:
    """A function applied to operands."""

    function: str
    arguments: tuple["OperandNode", ...]


OperandNode: TypeAlias = PathNode | ValueNode | CallNode


@dataclass(frozen=True, slots=True)
class CompareNode:
    """`left operator right` for =, <>, <, <=, >, >=."""

    operator: str
    left: OperandNode
    right: OperandNode


@dataclass(frozen=True, slots=True)
class BetweenNode:
    """`operand BETWEEN lower AND upper`."""

    operand: OperandNode
    lower: OperandNode
    upper: OperandNode


@dataclass(frozen=True, slots=True)
class InNode:
    """`operand IN (options)`."""

    operand: OperandNode
    options: tuple[OperandNode, ...]


@dataclass(frozen=True, slots=True)
class NotNode:
    """`NOT condition`."""

    condition: "ConditionNode"


@dataclass(frozen=True, slots=True)
class JunctionNode:
    """Two or more conditions joined by the same AND or OR."""

    operator: Literal["AND", "OR"]
    conditions: tuple["ConditionNode", ...]


PrimitiveNode: TypeAlias = CompareNode | BetweenNode | InNode | CallNode
ConditionNode: TypeAlias = PrimitiveNode | NotNode | JunctionNode


def operands_of(primitive: PrimitiveNode) -> tuple[OperandNode, ...]:
    """The operands of a comparison or the arguments of a function, in order."""
    if isinstance(primitive, CompareNode):
        return (primitive.left, primitive.right)
    if isinstance(primitive, BetweenNode):
        return (primitive.operand, primitive.lower, primitive.upper)
    if isinstance(primitive, InNode):
        return (primitive.operand, *primitive.options)
    return primitive.arguments


@dataclass(frozen=True, slots=True)
class ConditionTree:
    """A parsed condition. Redundant parentheses are noted, because they are rejected after syntax errors."""

    root: ConditionNode
    operators: int
    redundant_parentheses: bool


@dataclass(frozen=True, slots=True)
class SumNode:
    """`left + right` or `left - right` in a SET action."""

    operator: Literal["+", "-"]
    left: OperandNode
    right: OperandNode


SetValueNode: TypeAlias = OperandNode | SumNode


@dataclass(frozen=True, slots=True)
class SetNode:
    """`path = value`."""

    path: PathNode
    value: SetValueNode


@dataclass(frozen=True, slots=True)
class RemoveNode:
    """A path to remove."""

    path: PathNode


@dataclass(frozen=True, slots=True)
class AdjustNode:
    """`path :value` in an ADD or DELETE section."""

    action: Literal["ADD", "DELETE"]
    path: PathNode
    value: ValueNode


ActionNode: TypeAlias = SetNode | RemoveNode | AdjustNode


def set_operands(value: SetValueNode) -> tuple[OperandNode, ...]:
    """The operands on the right of a SET action."""
    return (value.left, value.right) if isinstance(value, SumNode) else (value,)


@dataclass(frozen=True, slots=True)
class UpdateTree:
    """A parsed update. `sections` lists the keywords in order, so that a repeated one can be rejected."""

    actions: tuple[ActionNode, ...]
    sections: tuple[str, ...]
    operators: int


@dataclass(frozen=True, slots=True)
class ProjectionTree:
    """A parsed projection."""

    paths: tuple[PathNode, ...]
