"""Parses and binds projection expressions: syntax, checks in the service's order, and the tree of paths to pick."""

from functools import lru_cache

from tablature.engine.errors import EngineError
from tablature.engine.expressions.bound_expressions import BoundProjection
from tablature.engine.expressions.evaluation import resolve_path
from tablature.engine.expressions.operand_parser import OperandParser
from tablature.engine.expressions.paths import find_path_conflict
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.syntax_tree import PathNode, ProjectionTree
from tablature.engine.expressions.text_checks import reject_deep_paths, reject_reserved_words, with_parameter_name
from tablature.engine.expressions.tokenizer import ExpressionTokens, invalid_expression, reject_unreadable


@lru_cache(maxsize=2048)
def parse_projection(text: str) -> ProjectionTree:
    reject_unreadable(text, "ProjectionExpression")
    stream = ExpressionTokens(text, "ProjectionExpression", frozenset())
    parser = OperandParser(stream)
    paths = [parser.path()]
    while stream.accept(","):
        paths.append(parser.path())
    stream.expect("end")
    return ProjectionTree(tuple(paths))


_PARAMETER = "ProjectionExpression"


def bind_projection(text: str, placeholders: Placeholders) -> BoundProjection:
    paths = _checked_paths(text)
    try:
        names = tuple(placeholders.use_name(key) for key in _name_keys(paths))
    except EngineError as error:
        raise with_parameter_name(_PARAMETER, error) from error
    return _resolve_cached(text, names)


@lru_cache(maxsize=2048)
def _checked_paths(text: str) -> tuple[PathNode, ...]:
    paths = parse_projection(text).paths
    reject_reserved_words(paths, _PARAMETER)
    reject_deep_paths(paths, _PARAMETER)
    return paths


def _name_keys(paths: tuple[PathNode, ...]) -> list[str]:
    return [key for path in paths for key in path.name_keys]


@lru_cache(maxsize=2048)
def _resolve_cached(text: str, names: tuple[str, ...]) -> BoundProjection:
    nodes = _checked_paths(text)
    resolved = dict(zip(_name_keys(nodes), names, strict=True))
    paths = tuple(resolve_path(node, resolved) for node in nodes)
    clash = find_path_conflict(paths)
    if clash:
        raise invalid_expression(_PARAMETER, clash)
    return BoundProjection.from_paths(paths)
