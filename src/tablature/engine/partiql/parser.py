"""Parses a whole PartiQL statement."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from tablature.engine.encoding.values import kind_of
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.expressions.syntax_tree import (
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
    ValueNode,
)
from tablature.engine.expressions.text_checks import CONDITION_FUNCTIONS
from tablature.engine.expressions.update_compiler import SET_TYPES
from tablature.engine.partiql.condition_parser import ConditionParser
from tablature.engine.partiql.statements import (
    DeleteStatement,
    ExistsStatement,
    InsertStatement,
    Returning,
    SelectStatement,
    Statement,
    UpdateStatement,
)
from tablature.engine.partiql.tokenizer import StatementTokens, syntax_error

_RETURNED: Final[Mapping[tuple[str, str], Returning]] = {
    ("ALL", "OLD"): "ALL_OLD",
    ("ALL", "NEW"): "ALL_NEW",
    ("MODIFIED", "OLD"): "UPDATED_OLD",
    ("MODIFIED", "NEW"): "UPDATED_NEW",
}


def parse_statement(statement: str, parameters: Sequence[Mapping[str, Any]] = ()) -> Statement:
    """Parse a statement, with the parameters in place of `?`."""
    return _StatementParser(statement, parameters).parse()


class _StatementParser(ConditionParser):
    """Parses one statement."""

    def __init__(self, statement: str, parameters: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(StatementTokens(statement), parameters)

    def parse(self) -> Statement:
        parsed = self._statement()
        if self.stream.accept(";") and not self.stream.is_at_end:
            raise syntax_error("Unexpected token after semicolon. (Only one query is allowed.)")
        if not self.stream.is_at_end:
            raise syntax_error("Unexpected token after expression")
        self.literals.reject_spare_parameters()
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
        if self.stream.current.is_keyword("FROM"):
            return self._update_from()
        raise self._no_statement()

    def _no_statement(self) -> EngineError:
        """The error for text that isn't a statement: the grammar parses an expression first, and then finds more."""
        if self.stream.is_at_end:
            return syntax_error("Unexpected term")
        if self.stream.following.kind == "end":
            return syntax_error("Expected data manipulation")
        return syntax_error("Unexpected token after expression")

    def _exists(self) -> ExistsStatement:
        self.stream.expect("(", "Expected LEFT_PAREN")
        self.stream.expect_keyword("SELECT", "Unexpected term")
        select = self._select()
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return ExistsStatement(select)

    def _select(self) -> SelectStatement:
        paths = self._columns()
        self.stream.expect_keyword("FROM", "Expected FROM after SELECT list")
        table, index = self._source()
        self._reject_alias()
        select = SelectStatement(table, index, paths, self._where(), self._order(), self.values)
        if self.stream.current.is_keyword("LIMIT"):
            raise validation_error(f"Unsupported clause: LIMIT at [{self.stream.current.place}]")
        return select

    def _columns(self) -> tuple[PathNode, ...]:
        if self.stream.accept("*"):
            if self.stream.current.kind == ",":
                raise syntax_error(
                    "Other expressions may not be present in the select list when '*' is used without dot notation."
                )
            return ()
        if self.stream.current.is_keyword("FROM"):
            raise syntax_error("Expected data manipulation")
        paths = [self._column()]
        while self.stream.accept(","):
            paths.append(self._column())
        return tuple(paths)

    def _column(self) -> PathNode:
        word = self.stream.current
        if word.text.lower() in CONDITION_FUNCTIONS and self.stream.following.kind == "(":
            raise validation_error(f"Unexpected path component at {word.place}")
        return self.path()

    def _source(self) -> tuple[str, str | None]:
        """A table, and the index of it when there is one."""
        names = [self._component()]
        while self.stream.accept("."):
            names.append(self._component())
        if len(names) > 2:
            raise validation_error("A path may contain at most 2 components in the FROM clause")
        return names[0], names[1] if len(names) > 1 else None

    def _reject_alias(self) -> None:
        if self.stream.current.is_name or self.stream.current.is_keyword("AS"):
            raise validation_error("Aliasing is not supported")

    def _component(self) -> str:
        name = self.name()
        if not name:
            raise validation_error("Path component cannot be an empty string")
        return name

    def _where(self) -> ConditionNode | None:
        return self.condition() if self.stream.accept_keyword("WHERE") else None

    def _order(self) -> tuple[tuple[str, bool], ...]:
        """The names to order by, each with whether it is descending."""
        if not self.stream.accept_keyword("ORDER"):
            return ()
        self.stream.expect_keyword("BY", "Expected BY")
        keys = [self._order_key()]
        while self.stream.accept(","):
            keys.append(self._order_key())
        return tuple(keys)

    def _order_key(self) -> tuple[str, bool]:
        name = self.name()
        return name, self.stream.accept_keyword("DESC", "ASC") == "DESC"

    def _insert(self) -> InsertStatement:
        self.stream.expect_keyword("INTO", "Unexpected keyword")
        table, index = self._target()
        if index is not None:
            raise validation_error("FROM clause may only contain a single table name")
        if self.stream.accept_keyword("VALUE") is None:
            raise self._no_value()
        value = self.literals.read_item()
        if "M" not in value:
            raise syntax_error("Expected a tuple in VALUE")
        return InsertStatement(table, value["M"])

    def _no_value(self) -> EngineError:
        if self.stream.current.is_keyword("VALUES"):
            return syntax_error("Expected LEFT_PAREN for row value constructor")
        if self.stream.current.is_name:
            return syntax_error("Unexpected token after expression")
        return self.stream.no_term()

    def _target(self) -> tuple[str, str | None]:
        if not self.stream.current.is_name:
            raise syntax_error("Expected identifier for simple path")
        return self._source()

    def _write_target(self) -> str:
        table, index = self._target()
        if index is not None:
            raise validation_error("This operation is not supported on an index")
        self._reject_alias()
        return table

    def _update(self) -> UpdateStatement:
        table = self._write_target()
        return UpdateStatement(table, self._actions(), self._where(), self._returning(), self.values)

    def _update_from(self) -> UpdateStatement:
        """`FROM table WHERE ... SET ...`: an UPDATE with the parts in another order."""
        self.stream.take()
        if self.stream.is_at_end:
            raise syntax_error("Expected data manipulation")
        table = self._write_target()
        where = self._where()
        return UpdateStatement(table, self._actions(), where, self._returning(), self.values)

    def _actions(self) -> tuple[ActionNode, ...]:
        actions: list[ActionNode] = []
        while section := self.stream.accept_keyword("SET", "REMOVE"):
            if section == "REMOVE":
                actions.append(RemoveNode(self.simple_path()))
                continue
            actions.append(self._assignment())
            while self.stream.accept(","):
                actions.append(self._assignment())
        if not actions:
            raise syntax_error("Expected data manipulation")
        return tuple(actions)

    def _delete(self) -> DeleteStatement:
        self.stream.expect_keyword("FROM", "Expected FROM after DELETE")
        table = self._write_target()
        where, returning = self._where(), self._returning()
        if returning is not None and returning != "ALL_OLD":
            clause = returning.replace("UPDATED", "MODIFIED").replace("_", " ")
            raise validation_error(
                f"Invalid returning clause: RETURNING {clause} *. "
                "Only RETURNING ALL OLD * is allowed in DELETE statements."
            )
        return DeleteStatement(table, where, returning, self.values)

    def _returning(self) -> Returning | None:
        if not self.stream.accept_keyword("RETURNING"):
            return None
        extent = self.stream.accept_keyword("ALL", "MODIFIED")
        age = self.stream.accept_keyword("OLD", "NEW")
        if extent is None or age is None:
            raise syntax_error("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.")
        self.stream.expect("*", "Unsupported syntax in RETURNING columns.")
        return _RETURNED[extent, age]

    def _assignment(self) -> ActionNode:
        path = self.simple_path()
        self.stream.expect("=", "Expected '='")
        word = self.stream.current
        if self.stream.following.kind == "(" and word.is_keyword("SET_ADD"):
            return self._adjustment("ADD", path)
        if self.stream.following.kind == "(" and word.is_keyword("SET_DELETE"):
            return self._adjustment("DELETE", path)
        return SetNode(path, self._set_value())

    def _adjustment(self, action: Literal["ADD", "DELETE"], path: PathNode) -> AdjustNode:
        """`path = set_add(path, set)`, or the same with set_delete."""
        function = self.stream.take()
        first = self.stream.following
        arguments = self.arguments()
        if len(arguments) != 2:
            raise validation_error(f"SET_{action} must have exactly two arguments at {function.place}")
        if arguments[0] != path:
            raise validation_error(
                f"The first argument to SET_{action} must equal the assignment value at {function.place}"
            )
        value = arguments[1]
        if not isinstance(value, ValueNode) or kind_of(self.values[value.name]) not in SET_TYPES:
            raise validation_error(
                f"The second argument to SET_{action} must be a value with type SET at {first.place}"
            )
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
            raise syntax_error(f"Unsupported function: {function}")
        self.stream.take()
        self.stream.take()
        with self.deeper():
            first = self._set_operand()
            self.stream.expect(",", "Expected RIGHT_PAREN")
            second = self._set_operand()
        self.stream.expect(")", "Expected RIGHT_PAREN")
        return CallNode(function, (first, second))
