"""Parses the parts every grammar shares: document paths, and operands with their nested calls and parentheses.

Nesting uses an explicit stack, so hostile text can't exhaust Python's recursion limit.
"""

from dataclasses import dataclass, field
from typing import Final

from tablature.engine.expressions.syntax_tree import CallNode, NameRef, OperandNode, PathNode, ValueNode
from tablature.engine.expressions.tokenizer import ExpressionTokens, invalid_expression

_MAX_LIST_INDEX: Final = 2**32 - 2


@dataclass(slots=True)
class _Frame:
    """An open parenthesis: of a call if it has a function name, otherwise a grouping."""

    function: str | None
    arguments: list[OperandNode] = field(default_factory=list)
    grouped: bool = False


class OperandParser:
    """Reads operands from a token stream, counting calls as operators and noting redundant parentheses."""

    def __init__(self, stream: ExpressionTokens) -> None:
        self.stream = stream
        self.operators = 0
        self.redundant_parentheses = False

    def path(self) -> PathNode:
        return self.path_tail((self._name(),))

    def _name(self) -> str | NameRef:
        if self.stream.kind == "name":
            return NameRef(self.stream.take().text)
        return self.stream.expect("word").text

    def path_tail(self, parts: tuple[str | int | NameRef, ...]) -> PathNode:
        """Continue a path with the `.name` and `[index]` steps at the cursor."""
        steps = list(parts)
        while True:
            if self.stream.accept("."):
                steps.append(self._name())
            elif self.stream.accept("["):
                steps.append(self._list_index())
            else:
                return PathNode(tuple(steps))

    def _list_index(self) -> int:
        index = int(self.stream.expect("integer").text)
        self.stream.expect("]")
        if index > _MAX_LIST_INDEX:
            detail = f"List index is not within the allowable range; index: [{index}]"
            raise invalid_expression(self.stream.parameter, detail)
        return index

    def value(self) -> ValueNode:
        return ValueNode(self.stream.expect("value").text)

    def operand(self) -> OperandNode:
        """One operand, however deeply its calls and parentheses nest."""
        frames: list[_Frame] = []
        while True:
            if self._opens_frame(frames):
                continue
            node: OperandNode = self.value() if self.stream.kind == "value" else self.path()
            grouped = False
            while frames:
                frame = frames[-1]
                frame.arguments.append(node)
                frame.grouped = grouped
                if frame.function is not None and self.stream.accept(","):
                    break
                self.stream.expect(")")
                frames.pop()
                node, grouped = self._close(frame)
            else:
                return node

    def _opens_frame(self, frames: list[_Frame]) -> bool:
        if self.stream.accept("("):
            frames.append(_Frame(None))
            return True
        if self.stream.kind == "word" and self.stream.following_kind == "(":
            frames.append(_Frame(self.stream.take().text))
            self.stream.take()
            self.operators += 1
            return True
        return False

    def _close(self, frame: _Frame) -> tuple[OperandNode, bool]:
        if frame.function is not None:
            return CallNode(frame.function, tuple(frame.arguments)), False
        self.redundant_parentheses |= frame.grouped
        inner = frame.arguments[0]
        if isinstance(inner, PathNode) and self.stream.kind in (".", "["):
            return self.path_tail(inner.parts), False
        return inner, True
