"""Parses the WHERE clause of a statement into the condition trees that expressions use."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from tablature.engine.encoding.values import AttributeValue
from tablature.engine.errors import validation_error
from tablature.engine.expressions.syntax_tree import (
    BetweenNode,
    CallNode,
    CompareNode,
    ConditionNode,
    InNode,
    JunctionNode,
    NameRef,
    NotNode,
    OperandNode,
    PathNode,
    ValueNode,
)
from tablature.engine.expressions.text_checks import CONDITION_FUNCTIONS
from tablature.engine.partiql.literal_parser import LiteralParser
from tablature.engine.partiql.tokenizer import StatementTokens, syntax_error

_COMPARATORS: Final = frozenset({"=", "<>", "!=", "<", "<=", ">", ">="})
_CLOSINGS: Final = {"(": (")", "Expected RIGHT_PAREN"), "[": ("]", "Expected RIGHT_BRACKET")}
_MAX_LIST_INDEX: Final = 2**31 - 1
_DEEPEST: Final = 100
_TYPE_NAMES: Final = {"NULL": "NULL", "BOOL": "BOOL", "STRING": "S"}


class ConditionParser:
    """Parses paths, operands and conditions at the cursor. Values are stored under placeholders."""

    def __init__(self, stream: StatementTokens, parameters: Sequence[Mapping[str, Any]]) -> None:
        self.stream = stream
        self.literals = LiteralParser(stream, parameters)
        self.values: dict[str, AttributeValue] = {}
        self._depth = 0

    def name(self) -> str:
        if not self.stream.current.is_name:
            raise self.stream.no_term()
        return self.stream.take().text

    def path(self) -> PathNode:
        parts: list[str | int | NameRef] = [self.name()]
        while True:
            if self.stream.accept("."):
                if not self.stream.current.is_name:
                    raise syntax_error("Invalid path dot component")
                parts.append(self.stream.take().text)
            elif self.stream.accept("["):
                parts.append(self._list_index())
                self.stream.expect("]", "Expected RIGHT_BRACKET")
            else:
                return PathNode(tuple(parts))

    def simple_path(self) -> PathNode:
        """A path that is written to."""
        if not self.stream.current.is_name:
            raise syntax_error("Expected identifier for simple path")
        return self.path()

    def _list_index(self) -> int:
        sign = "-" if self.stream.accept("-") else ""
        token = self.stream.expect("number", "Unexpected term")
        index = token.text
        if not index.isdigit():
            raise validation_error("Unexpected path component")
        if sign or len(index) > len(str(_MAX_LIST_INDEX)) or int(index) > _MAX_LIST_INDEX:
            raise validation_error(
                f"List index is not within the allowable range; index: [{sign}{index}] at {token.place}"
            )
        return int(index)

    def value(self) -> ValueNode:
        return self._keep(self.literals.read())

    def _keep(self, value: AttributeValue) -> ValueNode:
        key = f":{len(self.values)}"
        self.values[key] = value
        return ValueNode(key)

    def operand(self) -> OperandNode:
        if self.literals.starts_here():
            return self.value()
        if self.stream.current.kind == "word" and self.stream.following.kind == "(":
            return self._call()
        return self.path()

    def _call(self) -> CallNode:
        word = self.stream.take()
        arguments = self.arguments()
        if word.text.lower() not in CONDITION_FUNCTIONS:
            raise validation_error(f"Unrecognized function: {word.text.lower()} at {word.place}")
        return CallNode(word.text.lower(), arguments)

    def arguments(self) -> tuple[OperandNode, ...]:
        """The arguments of a function."""
        self.stream.take()
        if self.stream.accept(")"):
            return ()
        with self.deeper():
            arguments = [self.operand()]
            while self.stream.accept(","):
                arguments.append(self.operand())
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return tuple(arguments)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Enter one nesting level. Raises if the statement is nested too deeply."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise syntax_error("The statement is nested too deeply")
        yield
        self._depth -= 1

    def condition(self) -> ConditionNode:
        """A whole condition: alternatives joined by OR."""
        with self.deeper():
            terms = [self._term()]
            while self.stream.accept_keyword("OR"):
                self._reject_nothing_on_the_right()
                terms.append(self._term())
        return terms[0] if len(terms) == 1 else JunctionNode("OR", tuple(terms))

    def _term(self) -> ConditionNode:
        factors = [self._factor()]
        while self.stream.accept_keyword("AND"):
            self._reject_nothing_on_the_right()
            factors.append(self._factor())
        return factors[0] if len(factors) == 1 else JunctionNode("AND", tuple(factors))

    def _factor(self) -> ConditionNode:
        negated = False
        while self.stream.accept_keyword("NOT"):
            negated = not negated
        node = self._group() if self.stream.accept("(") else self._primitive()
        return NotNode(node) if negated else node

    def _group(self) -> ConditionNode:
        node = self.condition()
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return node

    def _primitive(self) -> ConditionNode:
        left = self.operand()
        if self.stream.current.kind in _COMPARATORS:
            operator = self.stream.take().kind
            return self._comparison(left, "<>" if operator == "!=" else operator, self._right_operand())
        if self.stream.accept_keyword("IS"):
            return self._presence(left)
        negated = self.stream.accept_keyword("NOT") is not None
        node = self._range_or_membership(left)
        return NotNode(node) if negated else node

    def _comparison(self, left: OperandNode, operator: str, right: OperandNode) -> ConditionNode:
        """A comparison. A function that is a condition may be compared with true or false."""
        given = self.values[right.name] if isinstance(right, ValueNode) else {}
        if isinstance(left, CallNode) and left.function != "size" and operator in ("=", "<>") and "BOOL" in given:
            return left if given["BOOL"] is (operator == "=") else NotNode(left)
        return CompareNode(operator, left, right)

    def _right_operand(self) -> OperandNode:
        self._reject_nothing_on_the_right()
        return self.operand()

    def _reject_nothing_on_the_right(self) -> None:
        if self.stream.is_at_end:
            raise syntax_error("Missing right-hand side expression of infix operator")

    def _range_or_membership(self, left: OperandNode) -> ConditionNode:
        if self.stream.accept_keyword("BETWEEN"):
            lower = self._right_operand()
            self.stream.expect_keyword("AND", "Expected AND keyword")
            if self.stream.is_at_end:
                raise syntax_error("Expected expression after AND")
            return BetweenNode(left, lower, self.operand())
        if self.stream.accept_keyword("IN"):
            return InNode(left, self._options())
        if isinstance(left, CallNode) and left.function != "size":
            return left
        raise syntax_error("Unexpected token after expression")

    def _options(self) -> tuple[OperandNode, ...]:
        self._reject_nothing_on_the_right()
        opening = self.stream.take().kind
        if opening not in _CLOSINGS:
            raise syntax_error("Expected a list after IN")
        closing, detail = _CLOSINGS[opening]
        options = [self.operand()]
        while self.stream.accept(","):
            options.append(self.operand())
        self.stream.expect(closing, detail)
        return tuple(options)

    def _presence(self, operand: OperandNode) -> ConditionNode:
        """`IS [NOT] MISSING` and `IS [NOT]` a type. A missing attribute isn't null."""
        negated = self.stream.accept_keyword("NOT") is not None
        word = self.stream.accept_keyword("MISSING", *_TYPE_NAMES)
        if word is None:
            raise syntax_error("Expected type name")
        node = CallNode("attribute_not_exists", (operand,))
        if word in _TYPE_NAMES:
            node = CallNode("attribute_type", (operand, self._keep({"S": _TYPE_NAMES[word]})))
        return NotNode(node) if negated else node
