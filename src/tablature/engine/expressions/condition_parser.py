"""Parses condition, filter and key condition text into a tree, in one pass and without recursion."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from tablature.engine.expressions.operand_parser import OperandParser
from tablature.engine.expressions.syntax_tree import (
    BetweenNode,
    CompareNode,
    ConditionNode,
    ConditionTree,
    InNode,
    JunctionNode,
    NotNode,
    OperandNode,
    PathNode,
    ValueNode,
)
from tablature.engine.expressions.tokenizer import ExpressionTokens, reject_unreadable

_KEYWORDS: Final = frozenset({"AND", "OR", "NOT", "BETWEEN", "IN"})
_COMPARATORS: Final = frozenset({"=", "<>", "<", "<=", ">", ">="})


@lru_cache(maxsize=2048)
def parse_condition(text: str, parameter: str) -> ConditionTree:
    reject_unreadable(text, parameter)
    return _ConditionParser(ExpressionTokens(text, parameter, _KEYWORDS)).parse()


@dataclass(slots=True)
class _ConditionGroup:
    """One level of parentheses: its finished OR terms, the AND terms of the current one, and pending NOTs."""

    terms: list[ConditionNode] = field(default_factory=list)
    factors: list[ConditionNode] = field(default_factory=list)
    negations: int = 0

    def add(self, condition: ConditionNode) -> bool:
        """Add the condition under the pending NOTs. True if there were none."""
        bare = not self.negations
        for _ in range(self.negations):
            condition = NotNode(condition)
        self.negations = 0
        self.factors.append(condition)
        return bare

    def end_term(self) -> None:
        self.terms.append(_join("AND", self.factors))
        self.factors = []

    def finish(self) -> ConditionNode:
        self.end_term()
        return _join("OR", self.terms)


def _join(operator: Literal["AND", "OR"], conditions: list[ConditionNode]) -> ConditionNode:
    return conditions[0] if len(conditions) == 1 else JunctionNode(operator, tuple(conditions))


class _ConditionParser(OperandParser):
    """Keeps a stack of open groups. A parenthesized operand is a group until a comparator follows."""

    def __init__(self, stream: ExpressionTokens) -> None:
        super().__init__(stream)
        self._groups = [_ConditionGroup()]

    def parse(self) -> ConditionTree:
        while True:
            self._open_groups()
            if self._finish_condition(*self._primitive_or_operand()):
                root = self._groups[0].finish()
                return ConditionTree(root, self.operators, self.redundant_parentheses)

    def _open_groups(self) -> None:
        while True:
            if self.stream.accept("NOT"):
                self.operators += 1
                self._groups[-1].negations += 1
            elif self.stream.accept("("):
                self._groups.append(_ConditionGroup())
            else:
                return

    def _primitive_or_operand(self) -> tuple[ConditionNode | OperandNode, bool]:
        """The next comparison, or an operand that closes its own parenthesis; the flag says whether it was grouped."""
        operand = self.operand()
        grouped = False
        while self._closes_operand():
            self.redundant_parentheses |= grouped
            self._groups.pop()
            grouped = True
            if isinstance(operand, PathNode) and self.stream.kind in (".", "["):
                operand, grouped = self.path_tail(operand.parts), False
        if self.stream.kind in _COMPARATORS or self.stream.kind in ("BETWEEN", "IN"):
            return self._comparison(operand), False
        return operand, grouped

    def _closes_operand(self) -> bool:
        """Whether a `)` at the cursor closes a group that contains only an operand."""
        group = self._groups[-1]
        if len(self._groups) == 1 or group.terms or group.factors or group.negations:
            return False
        return self.stream.accept(")")

    def _comparison(self, left: OperandNode) -> ConditionNode:
        operator = self.stream.take().kind
        self.operators += 1
        if operator == "BETWEEN":
            lower = self.operand()
            self.stream.expect("AND")
            return BetweenNode(left, lower, self.operand())
        if operator == "IN":
            return InNode(left, self._options())
        return CompareNode(operator, left, self.operand())

    def _options(self) -> tuple[OperandNode, ...]:
        self.stream.expect("(")
        options = [self.operand()]
        while self.stream.accept(","):
            options.append(self.operand())
        self.stream.expect(")")
        return tuple(options)

    def _finish_condition(self, node: ConditionNode | OperandNode, grouped: bool) -> bool:
        """Add the condition to its group and close groups that end here. True at the end of the text."""
        if isinstance(node, PathNode | ValueNode):
            raise self.stream.unexpected()
        grouped = self._groups[-1].add(node) and grouped
        while True:
            if len(self._groups) > 1 and self.stream.accept(")"):
                grouped = self._close_group(grouped)
            elif self.stream.accept("AND"):
                self.operators += 1
                return False
            elif self.stream.accept("OR"):
                self.operators += 1
                self._groups[-1].end_term()
                return False
            elif self.stream.kind == "end" and len(self._groups) == 1:
                return True
            else:
                raise self.stream.unexpected()

    def _close_group(self, grouped: bool) -> bool:
        group = self._groups.pop()
        alone = len(group.factors) == 1 and not group.terms
        self.redundant_parentheses |= grouped and alone
        return self._groups[-1].add(group.finish())
