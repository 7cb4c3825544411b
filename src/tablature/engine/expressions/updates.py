"""Binds update expressions: every check that needs no table, in the service's order, then the closure."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tablature.engine.errors import ServiceError
from tablature.engine.expressions.bound import Update, Values
from tablature.engine.expressions.nodes import PathNode, SetNode, UpdateTree, ValueNode, set_operands
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.tokens import invalid_expression
from tablature.engine.expressions.update_compiler import CompiledUpdate, compile_update, leaves_of, refuse_clash
from tablature.engine.expressions.update_parser import parse_update
from tablature.engine.expressions.update_rules import known_types, refuse_wrong_operands
from tablature.engine.expressions.vetting import (
    UPDATE_FUNCTIONS,
    calls_in,
    prefixed,
    refuse_deep_paths,
    refuse_foreign_functions,
    refuse_reserved_words,
    refuse_too_many_operators,
)

_PARAMETER: Final = "UpdateExpression"


@dataclass(frozen=True, slots=True)
class _Plan:
    """An update whose text is sound, with the placeholders that binding it to a request has to look up."""

    tree: UpdateTree
    name_keys: tuple[str, ...]
    value_keys: tuple[str, ...]


def bind_update(text: str, placeholders: Placeholders) -> Update:
    plan = _plan(text)
    try:
        signature = placeholders.use_all(plan.name_keys, plan.value_keys)
        if signature is None:
            raise _undefined(plan, placeholders)
        compiled, types = _compiled(text, *signature)
    except ServiceError as error:
        raise prefixed(_PARAMETER, error) from error
    return _bound(compiled, placeholders.values, types)


def _undefined(plan: _Plan, placeholders: Placeholders) -> ServiceError:
    """The refusal of the first undefined placeholder, names before values."""
    try:
        for key in plan.name_keys:
            placeholders.use_name(key)
        for key in plan.value_keys:
            placeholders.use_value(key)
    except ServiceError as error:
        return error
    raise AssertionError("only called when a placeholder is undefined")


def bind_update_tree(tree: UpdateTree, values: Values) -> Update:
    """Bind an update that was read from another language, without placeholders for names."""
    refuse_clash(tree, {})
    refuse_wrong_operands(tree, values)
    return _bound(compile_update(tree, {}), values, known_types(tree, {}, values))


def _bound(compiled: CompiledUpdate, values: Values, types: dict[str, str]) -> Update:
    used, written = compiled.used, compiled.written
    return Update(compiled.mutate, values, used, written, compiled.branch, types, compiled.creates)


@lru_cache(maxsize=2048)
def _plan(text: str) -> _Plan:
    """Parse, and make the checks that depend on the text alone."""
    tree = parse_update(text)
    refuse_too_many_operators(tree.operators, _PARAMETER)
    leaves = tuple(leaves_of(tree))
    paths = [leaf for leaf in leaves if isinstance(leaf, PathNode)]
    refuse_reserved_words(paths, _PARAMETER)
    refuse_deep_paths(paths, _PARAMETER)
    operands = [
        operand for action in tree.actions if isinstance(action, SetNode) for operand in set_operands(action.value)
    ]
    refuse_foreign_functions([call for operand in operands for call in calls_in(operand)], UPDATE_FUNCTIONS, _PARAMETER)
    _refuse_repeated_section(tree.sections)
    name_keys = dict.fromkeys(key for path in paths for key in path.name_keys)
    value_keys = dict.fromkeys(leaf.name for leaf in leaves if isinstance(leaf, ValueNode))
    return _Plan(tree, tuple(name_keys), tuple(value_keys))


def _refuse_repeated_section(sections: tuple[str, ...]) -> None:
    seen: set[str] = set()
    for section in sections:
        if section in seen:
            detail = f'The "{section}" section can only be used once in an update expression;'
            raise invalid_expression(_PARAMETER, detail)
        seen.add(section)


@lru_cache(maxsize=2048)
def _compiled(text: str, names: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[CompiledUpdate, dict[str, str]]:
    """Check and compile, once for each combination of names and types of values; these are all the checks look at."""
    plan = _plan(text)
    known = dict(zip(plan.name_keys, names, strict=True))
    values: Values = {key: {kind: None} for key, kind in zip(plan.value_keys, kinds, strict=True)}
    refuse_clash(plan.tree, known)
    refuse_wrong_operands(plan.tree, values)
    return compile_update(plan.tree, known), known_types(plan.tree, known, values)
