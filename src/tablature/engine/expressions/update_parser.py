"""Parses update text into its SET, REMOVE, ADD and DELETE actions."""

from functools import lru_cache
from typing import Final, Literal, cast

from tablature.engine.expressions.nodes import (
    ActionNode,
    AdjustNode,
    RemoveNode,
    SetNode,
    SetValueNode,
    SumNode,
    UpdateTree,
)
from tablature.engine.expressions.operands import OperandParser
from tablature.engine.expressions.tokens import TokenStream, refuse_unreadable

_SECTIONS: Final = frozenset({"SET", "REMOVE", "ADD", "DELETE"})


@lru_cache(maxsize=2048)
def parse_update(text: str) -> UpdateTree:
    refuse_unreadable(text, "UpdateExpression")
    return _UpdateParser(TokenStream(text, "UpdateExpression", _SECTIONS)).parse()


class _UpdateParser(OperandParser):
    """Reads section after section; a repeated section is the checker's matter."""

    def parse(self) -> UpdateTree:
        actions: list[ActionNode] = []
        sections: list[str] = []
        while not sections or self.stream.kind != "end":
            if self.stream.kind not in _SECTIONS:
                raise self.stream.unexpected()
            section = self.stream.take().kind
            sections.append(section)
            actions.append(self._action(section))
            while self.stream.accept(","):
                actions.append(self._action(section))
        return UpdateTree(tuple(actions), tuple(sections), self.operators)

    def _action(self, section: str) -> ActionNode:
        path = self.path()
        if section == "REMOVE":
            return RemoveNode(path)
        if section == "SET":
            self.stream.expect("=")
            return SetNode(path, self._set_value())
        return AdjustNode(cast("Literal['ADD', 'DELETE']", section), path, self.value())

    def _set_value(self) -> SetValueNode:
        opened = 0
        while self.stream.accept("("):
            opened += 1
        node: SetValueNode = self.operand()
        while True:
            if opened and self.stream.accept(")"):
                opened -= 1
            elif self.stream.kind in ("+", "-") and not isinstance(node, SumNode):
                operator = cast("Literal['+', '-']", self.stream.take().kind)
                self.operators += 1
                node = SumNode(operator, node, self.operand())
            elif opened:
                raise self.stream.unexpected()
            else:
                return node
