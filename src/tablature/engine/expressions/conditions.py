"""Binds condition and filter expressions: every check that needs no table, in the service's order, then the closure."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tablature.engine.errors import EngineError, validation_error
from tablature.engine.expressions.bound_expressions import BoundCondition, Evaluator, UsedPaths, Values
from tablature.engine.expressions.condition_parser import parse_condition
from tablature.engine.expressions.evaluation import NameMapping, compile_condition, resolve_path
from tablature.engine.expressions.paths import describe_path
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.syntax_tree import (
    BetweenNode,
    CallNode,
    CompareNode,
    ConditionNode,
    InNode,
    JunctionNode,
    NotNode,
    OperandNode,
    PathNode,
    PrimitiveNode,
    ValueNode,
    operands_of,
)
from tablature.engine.expressions.text_checks import (
    CONDITION_FUNCTIONS,
    calls_in,
    leaves_in,
    reject_deep_paths,
    reject_reserved_words,
    reject_too_many_operators,
    reject_unknown_functions,
    with_parameter_name,
    wrong_operand_count,
)
from tablature.engine.expressions.tokenizer import invalid_expression
from tablature.engine.expressions.type_checks import reject_wrong_condition_types

_MAX_OPTIONS: Final = 100


@dataclass(frozen=True, slots=True)
class ConditionPlan:
    """A parsed condition with valid text, and what to check when it is bound to a request.

    `is_bounded` if a check needs a value and not only its type: the order of bounds, or the name of a type.
    """

    root: ConditionNode
    primitives: tuple[PrimitiveNode, ...]
    paths: tuple[PathNode, ...]
    name_keys: tuple[str, ...]
    value_keys: tuple[str, ...]
    is_bounded: bool

    def resolve_names(self, names: tuple[str, ...]) -> NameMapping:
        return dict(zip(self.name_keys, names, strict=True))


def bind_condition(text: str, parameter: str, placeholders: Placeholders) -> BoundCondition:
    """Bind a ConditionExpression or FilterExpression; `parameter` names it in errors."""
    names = check_condition(text, parameter, placeholders)
    evaluate, used = _compile_cached(text, parameter, names)
    return BoundCondition(evaluate, placeholders.values, used, parameter)


def bind_condition_tree(root: ConditionNode, values: Values) -> BoundCondition:
    """Bind a condition that was parsed from PartiQL or legacy parameters, without name placeholders."""
    primitives = tuple(_primitives_in(root))
    for primitive in primitives:
        _check_operands(primitive, {}, values)
    paths = [leaf for primitive in primitives for leaf in _leaves_of(primitive) if isinstance(leaf, PathNode)]
    used = UsedPaths(tuple(resolve_path(path, {}) for path in paths))
    return BoundCondition(compile_condition(root, {}), values, used, "FilterExpression")


def check_condition(text: str, parameter: str, placeholders: Placeholders) -> tuple[str, ...]:
    """Run every check of a condition and mark its placeholders as used. Returns the resolved names."""
    plan = plan_condition(text, parameter)
    signature = placeholders.use_all(plan.name_keys, plan.value_keys)
    try:
        if signature is None or plan.is_bounded:
            for primitive in plan.primitives:
                _check_primitive(primitive, placeholders)
        else:
            _check_types(text, parameter, *signature)
    except EngineError as error:
        raise with_parameter_name(parameter, error) from error
    assert signature is not None, "an undefined placeholder was refused"
    return signature[0]


@lru_cache(maxsize=2048)
def _check_types(text: str, parameter: str, names: tuple[str, ...], kinds: tuple[str, ...]) -> None:
    """Run the checks that depend only on the types of the values; cached by combination of types."""
    plan = plan_condition(text, parameter)
    resolved = plan.resolve_names(names)
    values: Values = {key: {kind: None} for key, kind in zip(plan.value_keys, kinds, strict=True)}
    for primitive in plan.primitives:
        _check_operands(primitive, resolved, values)


@lru_cache(maxsize=2048)
def plan_condition(text: str, parameter: str) -> ConditionPlan:
    """Parse, and run the checks that depend only on the text; cached."""
    tree = parse_condition(text, parameter)
    if tree.redundant_parentheses:
        raise invalid_expression(parameter, "The expression has redundant parentheses;")
    reject_too_many_operators(tree.operators, parameter)
    primitives = tuple(_primitives_in(tree.root))
    calls = [call for primitive in primitives for operand in _size_operand(primitive) for call in calls_in(operand)]
    reject_unknown_functions(calls, CONDITION_FUNCTIONS, parameter)
    _reject_misused_functions(primitives, parameter)
    leaves = [leaf for primitive in primitives for leaf in _leaves_of(primitive)]
    paths = tuple(leaf for leaf in leaves if isinstance(leaf, PathNode))
    reject_reserved_words(paths, parameter)
    reject_deep_paths(paths, parameter)
    return ConditionPlan(
        tree.root,
        primitives,
        paths,
        tuple(dict.fromkeys(key for path in paths for key in path.name_keys)),
        tuple(dict.fromkeys(leaf.name for leaf in leaves if isinstance(leaf, ValueNode))),
        any(map(_is_bounded, primitives)),
    )


def _is_bounded(primitive: PrimitiveNode) -> bool:
    if isinstance(primitive, CallNode):
        return primitive.function == "attribute_type"
    return isinstance(primitive, BetweenNode)


@lru_cache(maxsize=2048)
def _compile_cached(text: str, parameter: str, names: tuple[str, ...]) -> tuple[Evaluator, UsedPaths]:
    plan = plan_condition(text, parameter)
    resolved = plan.resolve_names(names)
    used = UsedPaths(tuple(resolve_path(path, resolved) for path in plan.paths))
    return compile_condition(plan.root, resolved), used


def _primitives_in(node: ConditionNode) -> Iterator[PrimitiveNode]:
    if isinstance(node, JunctionNode):
        for condition in node.conditions:
            yield from _primitives_in(condition)
    elif isinstance(node, NotNode):
        yield from _primitives_in(node.condition)
    else:
        yield node


def _size_operand(primitive: PrimitiveNode) -> tuple[OperandNode, ...]:
    return (primitive,) if isinstance(primitive, CallNode) else operands_of(primitive)


def _leaves_of(primitive: PrimitiveNode) -> Iterator[PathNode | ValueNode]:
    for operand in operands_of(primitive):
        yield from leaves_in(operand)


def _reject_misused_functions(primitives: tuple[PrimitiveNode, ...], parameter: str) -> None:
    """Only size may be an operand, and size may not be a condition."""
    for primitive in primitives:
        nested = [call for operand in operands_of(primitive) for call in calls_in(operand) if call.function != "size"]
        if isinstance(primitive, CallNode) and primitive.function == "size":
            nested.append(primitive)
        if nested:
            detail = "The function is not allowed to be used this way in an expression; function: "
            raise invalid_expression(parameter, detail + nested[0].function)


def _check_primitive(primitive: PrimitiveNode, placeholders: Placeholders) -> None:
    for leaf in _leaves_of(primitive):
        if isinstance(leaf, ValueNode):
            placeholders.use_value(leaf.name)
        else:
            for key in leaf.name_keys:
                placeholders.use_name(key)
    _check_operands(primitive, placeholders.names, placeholders.values)


def _check_operands(primitive: PrimitiveNode, names: NameMapping, values: Values) -> None:
    _reject_wrong_counts(primitive)
    _reject_same_operands(primitive, names)
    reject_wrong_condition_types(primitive, values)


def _reject_wrong_counts(primitive: PrimitiveNode) -> None:
    for operand in _size_operand(primitive):
        for call in calls_in(operand):
            if len(call.arguments) != CONDITION_FUNCTIONS[call.function]:
                raise validation_error(wrong_operand_count(call.function, len(call.arguments)))
    if isinstance(primitive, InNode) and len(primitive.options) > _MAX_OPTIONS:
        count = len(primitive.options)
        raise validation_error(f"The IN operator is provided with too many operands; number of operands: {count}")


def _reject_same_operands(primitive: PrimitiveNode, names: NameMapping) -> None:
    first, *rest = operands_of(primitive)
    if not isinstance(first, PathNode):
        return
    path = resolve_path(first, names)
    if any(isinstance(other, PathNode) and resolve_path(other, names) == path for other in rest):
        raise validation_error(
            "The first operand must be distinct from the remaining operands for this operator or function; "
            f"operator: {_operator_of(primitive)}, first operand: {describe_path(path)}"
        )


def _operator_of(primitive: PrimitiveNode) -> str:
    if isinstance(primitive, CompareNode):
        return primitive.operator
    if isinstance(primitive, CallNode):
        return primitive.function
    return "IN" if isinstance(primitive, InNode) else "BETWEEN"
