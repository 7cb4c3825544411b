"""Parses a whole PartiQL statement."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tablature.engine.errors import validation
from tablature.engine.expressions.nodes import (
    ActionNode,
    AdjustNode,
    CallNode,
    ConditionNode,
    OperandNode,
    PathNode,
    RemoveNode,
    SetNode,
    SetValueNode,
    SumNode,
)
from tablature.engine.partiql.conditions import ConditionReader
from tablature.engine.partiql.statements import Delete, Exists, Insert, Returning, Select, Statement, Update
from tablature.engine.partiql.tokens import TokenStream, malformed

_RETURNED: Final[Mapping[tuple[str, str], Returning]] = {
    ("ALL", "OLD"): "ALL_OLD",
    ("ALL", "NEW"): "ALL_NEW",
    ("MODIFIED", "OLD"): "UPDATED_OLD",
    ("MODIFIED", "NEW"): "UPDATED_NEW",
}


def parse_statement(statement: str, parameters: Sequence[Mapping[str, Any]] = ()) -> Statement:
    """Read a statement, putting the parameters in place of its `?`."""
    return _StatementParser(statement, parameters).parse()


class _StatementParser(ConditionReader):
    """Reads one statement to its end."""

    def __init__(self, statement: str, parameters: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(TokenStream(statement), parameters)

    def parse(self) -> Statement:
        parsed = self._statement()
        self.stream.accept(";")
        if self.stream.current.kind != "end":
            raise malformed("Unexpected token after expression")
        self.literals.refuse_spare_parameters()
        return parsed

    def _statement(self) -> Statement:
        word = self.stream.accept_keyword("SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS")
        if word == "SELECT":
            return self._select()
        if word == "INSERT":
            return self._insert()
        if word == "UPDATE":
            return self._update()
        if word == "DELETE":
            return self._delete()
        if word == "EXISTS":
            return self._exists()
        raise malformed("Unexpected token after expression" if self.stream.current.kind != "end" else "Unexpected term")

    def _exists(self) -> Exists:
        self.stream.expect("(", "Expected LEFT_PAREN")
        self.stream.expect_keyword("SELECT", "Unexpected term")
        select = self._select()
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return Exists(select)

    def _select(self) -> Select:
        paths: list[PathNode] = []
        if not self.stream.accept("*"):
            paths.append(self.path())
            while self.stream.accept(","):
                paths.append(self.path())
        self.stream.expect_keyword("FROM", "Expected FROM after SELECT list")
        table = self.name()
        index = self.name() if self.stream.accept(".") else None
        return Select(table, index, tuple(paths), self._where(), self._order(), self.values)

    def _where(self) -> ConditionNode | None:
        return self.condition() if self.stream.accept_keyword("WHERE") else None

    def _order(self) -> tuple[tuple[str, bool], ...]:
        """The names to order by, each with whether it goes down."""
        if not self.stream.accept_keyword("ORDER"):
            return ()
        self.stream.expect_keyword("BY", "Expected BY after ORDER")
        keys = [self._order_key()]
        while self.stream.accept(","):
            keys.append(self._order_key())
        return tuple(keys)

    def _order_key(self) -> tuple[str, bool]:
        name = self.name()
        return name, self.stream.accept_keyword("DESC", "ASC") == "DESC"

    def _insert(self) -> Insert:
        self.stream.expect_keyword("INTO", "Expected INTO after INSERT")
        table = self._write_target()
        if self.stream.accept_keyword("VALUE", "VALUES") is None:
            raise malformed("Expected VALUE")
        value = self.literals.read(depth=0)
        if "M" not in value:
            raise malformed("Expected a tuple in VALUE")
        return Insert(table, value["M"])

    def _write_target(self) -> str:
        table = self.name()
        if self.stream.accept("."):
            raise validation("This operation is not supported on an index")
        return table

    def _update(self) -> Update:
        table = self._write_target()
        actions: list[ActionNode] = []
        while section := self.stream.accept_keyword("SET", "REMOVE"):
            actions.append(self._action(section))
            while self.stream.accept(","):
                actions.append(self._action(section))
        if not actions:
            raise malformed("Expected data manipulation")
        return Update(table, tuple(actions), self._where(), self._returning(), self.values)

    def _delete(self) -> Delete:
        self.stream.expect_keyword("FROM", "Expected FROM after DELETE")
        table = self._write_target()
        where, returning = self._where(), self._returning()
        if returning not in (None, "ALL_OLD"):
            raise validation("DELETE statements can only return ALL OLD *")
        return Delete(table, where, returning, self.values)

    def _returning(self) -> Returning | None:
        if not self.stream.accept_keyword("RETURNING"):
            return None
        extent = self.stream.accept_keyword("ALL", "MODIFIED")
        age = self.stream.accept_keyword("OLD", "NEW")
        if extent is None or age is None:
            raise malformed("Expected ALL or MODIFIED, then OLD or NEW, after RETURNING")
        self.stream.expect("*", "Expected * in RETURNING")
        return _RETURNED[extent, age]

    def _action(self, section: str) -> ActionNode:
        path = self.path()
        if section == "REMOVE":
            return RemoveNode(path)
        self.stream.expect("=", "Expected = after path in SET")
        word = self.stream.current
        if self.stream.following.kind == "(" and word.is_keyword("SET_ADD"):
            return self._adjustment("ADD", path)
        if self.stream.following.kind == "(" and word.is_keyword("SET_DELETE"):
            return self._adjustment("DELETE", path)
        return SetNode(path, self._set_value())

    def _adjustment(self, action: Any, path: PathNode) -> AdjustNode:
        self.stream.take()
        self.stream.take()
        target = self.path()
        if target != path:
            raise validation("The first argument of a set function must be the path that is set")
        self.stream.expect(",", "Expected COMMA")
        value = self.value()
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return AdjustNode(action, path, value)

    def _set_value(self) -> SetValueNode:
        left = self._set_operand()
        for operator in ("+", "-"):
            if self.stream.accept(operator):
                return SumNode("+" if operator == "+" else "-", left, self._set_operand())
        return left

    def _set_operand(self) -> OperandNode:
        word = self.stream.current
        if word.kind != "word" or self.stream.following.kind != "(":
            return self.operand()
        function = word.text.lower()
        if function not in ("list_append", "if_not_exists"):
            raise malformed(f"Unsupported function: {function}")
        self.stream.take()
        self.stream.take()
        with self.deeper():
            first = self._set_operand()
            self.stream.expect(",", "Expected COMMA")
            second = self._set_operand()
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return CallNode(function, (first, second))
