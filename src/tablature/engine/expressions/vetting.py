"""Checks that every grammar shares and that need only the text: reserved words, counts, function names, depth."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from tablature.engine.errors import ServiceError
from tablature.engine.expressions.nodes import CallNode, OperandNode, PathNode, ValueNode
from tablature.engine.expressions.reserved import is_reserved
from tablature.engine.expressions.tokens import invalid_expression
from tablature.engine.values import DEEPEST_NESTING

CONDITION_FUNCTIONS: Final = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
    "size": 1,
}
UPDATE_FUNCTIONS: Final = {"if_not_exists": 2, "list_append": 2}
_MAX_OPERATORS: Final = 300


def refuse_too_many_operators(count: int, parameter: str) -> None:
    if count > _MAX_OPERATORS:
        detail = f"The expression contains too many operators; operator count: {count}"
        raise invalid_expression(parameter, detail)


def refuse_reserved_words(paths: Iterable[PathNode], parameter: str) -> None:
    for path in paths:
        for part in path.parts:
            if isinstance(part, str) and is_reserved(part):
                detail = f"Attribute name is a reserved keyword; reserved keyword: {part}"
                raise invalid_expression(parameter, detail)


def refuse_deep_paths(paths: Iterable[PathNode], parameter: str) -> None:
    for path in paths:
        if len(path.parts) > DEEPEST_NESTING:
            detail = f"The document path has too many nesting levels; nesting levels: {len(path.parts)}"
            raise invalid_expression(parameter, detail)


def refuse_foreign_functions(calls: Iterable[CallNode], known: Collection[str], parameter: str) -> None:
    """Refuse a function that doesn't exist, or belongs to the other kind of expression."""
    for call in calls:
        if call.function not in known:
            raise invalid_expression(parameter, _foreign(call.function))


def _foreign(function: str) -> str:
    if function in UPDATE_FUNCTIONS:
        return f"The function is not allowed in a condition expression; function: {function}"
    if function in CONDITION_FUNCTIONS:
        return f"The function is not allowed in an update expression; function: {function}"
    return f"Invalid function name; function: {function}"


def wrong_operand_count(operator: str, count: int) -> str:
    return (
        "Incorrect number of operands for operator or function; "
        f"operator or function: {operator}, number of operands: {count}"
    )


def wrong_operand_type(operator: str, kind: str) -> str:
    return f"Incorrect operand type for operator or function; operator or function: {operator}, operand type: {kind}"


def needs_path(operator: str) -> str:
    return f"Operator or function requires a document path; operator or function: {operator}"


def prefixed(parameter: str, error: ServiceError) -> ServiceError:
    """The same refusal, naming the expression it came from."""
    return invalid_expression(parameter, error.message)


def calls_in(operand: OperandNode) -> Iterator[CallNode]:
    """Every call in an operand, the inner ones first."""
    if isinstance(operand, CallNode):
        for argument in operand.arguments:
            yield from calls_in(argument)
        yield operand


def leaves_in(operand: OperandNode) -> Iterator[PathNode | ValueNode]:
    """Every path and value in an operand, in the order of the text."""
    if isinstance(operand, CallNode):
        for argument in operand.arguments:
            yield from leaves_in(argument)
    else:
        yield operand
