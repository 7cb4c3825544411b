"""Parses and binds update expressions: every check that needs no table, in the service's order, then the closure."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from tablature.engine.errors import EngineError
from tablature.engine.expressions.bound_expressions import BoundUpdate, Values
from tablature.engine.expressions.operand_parser import OperandParser
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.syntax_tree import (
    ActionNode,
    AdjustNode,
    PathNode,
    RemoveNode,
    SetNode,
    SetValueNode,
    SumNode,
    UpdateTree,
    ValueNode,
    set_operands,
)
from tablature.engine.expressions.text_checks import (
    UPDATE_FUNCTIONS,
    calls_in,
    reject_deep_paths,
    reject_reserved_words,
    reject_too_many_operators,
    reject_unknown_functions,
    with_parameter_name,
)
from tablature.engine.expressions.tokenizer import ExpressionTokens, invalid_expression, reject_unreadable
from tablature.engine.expressions.type_checks import assigned_types, reject_wrong_update_types
from tablature.engine.expressions.update_compiler import CompiledUpdate, compile_update, leaves_of, reject_path_conflict

_SECTIONS: Final = frozenset({"SET", "REMOVE", "ADD", "DELETE"})


@lru_cache(maxsize=2048)
def parse_update(text: str) -> UpdateTree:
    reject_unreadable(text, "UpdateExpression")
    return _UpdateParser(ExpressionTokens(text, "UpdateExpression", _SECTIONS)).parse()


class _UpdateParser(OperandParser):
    """Parses the sections. Repeated sections are checked later."""

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


_PARAMETER: Final = "UpdateExpression"


@dataclass(frozen=True, slots=True)
class _UpdatePlan:
    """A parsed update with valid text, and the placeholders to resolve when it is bound."""

    tree: UpdateTree
    name_keys: tuple[str, ...]
    value_keys: tuple[str, ...]


def bind_update(text: str, placeholders: Placeholders) -> BoundUpdate:
    plan = _plan_update(text)
    try:
        signature = placeholders.use_all(plan.name_keys, plan.value_keys)
        if signature is None:
            raise _undefined_placeholder_error(plan, placeholders)
        compiled, types = _compile_cached(text, *signature)
    except EngineError as error:
        raise with_parameter_name(_PARAMETER, error) from error
    return _bind_compiled(compiled, placeholders.values, types)


def _undefined_placeholder_error(plan: _UpdatePlan, placeholders: Placeholders) -> EngineError:
    """The error for the first undefined placeholder, names before values."""
    try:
        for key in plan.name_keys:
            placeholders.use_name(key)
        for key in plan.value_keys:
            placeholders.use_value(key)
    except EngineError as error:
        return error
    raise AssertionError("only called when a placeholder is undefined")


def bind_update_tree(tree: UpdateTree, values: Values) -> BoundUpdate:
    """Bind an update that was parsed from PartiQL, without name placeholders."""
    reject_path_conflict(tree, {})
    reject_wrong_update_types(tree, values)
    return _bind_compiled(compile_update(tree, {}), values, assigned_types(tree, {}, values))


def _bind_compiled(compiled: CompiledUpdate, values: Values, types: dict[str, str]) -> BoundUpdate:
    used, written = compiled.used, compiled.written
    return BoundUpdate(compiled.mutate, values, used, written, compiled.branch, types, compiled.creates)


@lru_cache(maxsize=2048)
def _plan_update(text: str) -> _UpdatePlan:
    """Parse, and run the checks that depend only on the text; cached."""
    tree = parse_update(text)
    reject_too_many_operators(tree.operators, _PARAMETER)
    leaves = tuple(leaves_of(tree))
    paths = [leaf for leaf in leaves if isinstance(leaf, PathNode)]
    reject_reserved_words(paths, _PARAMETER)
    reject_deep_paths(paths, _PARAMETER)
    operands = [
        operand for action in tree.actions if isinstance(action, SetNode) for operand in set_operands(action.value)
    ]
    reject_unknown_functions([call for operand in operands for call in calls_in(operand)], UPDATE_FUNCTIONS, _PARAMETER)
    _reject_repeated_section(tree.sections)
    name_keys = dict.fromkeys(key for path in paths for key in path.name_keys)
    value_keys = dict.fromkeys(leaf.name for leaf in leaves if isinstance(leaf, ValueNode))
    return _UpdatePlan(tree, tuple(name_keys), tuple(value_keys))


def _reject_repeated_section(sections: tuple[str, ...]) -> None:
    seen: set[str] = set()
    for section in sections:
        if section in seen:
            detail = f'The "{section}" section can only be used once in an update expression;'
            raise invalid_expression(_PARAMETER, detail)
        seen.add(section)


@lru_cache(maxsize=2048)
def _compile_cached(text: str, names: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[CompiledUpdate, dict[str, str]]:
    """Check and compile; cached by names and value types, which are all that the checks depend on."""
    plan = _plan_update(text)
    resolved = dict(zip(plan.name_keys, names, strict=True))
    values: Values = {key: {kind: None} for key, kind in zip(plan.value_keys, kinds, strict=True)}
    reject_path_conflict(plan.tree, resolved)
    reject_wrong_update_types(plan.tree, values)
    return compile_update(plan.tree, resolved), assigned_types(plan.tree, resolved, values)
