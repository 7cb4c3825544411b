"""Binds projection expressions: their checks, in the service's order, and the tree of paths to pick."""

from functools import lru_cache

from tablature.engine.errors import ServiceError
from tablature.engine.expressions.bound import Projection
from tablature.engine.expressions.evaluation import resolve_path
from tablature.engine.expressions.nodes import PathNode
from tablature.engine.expressions.paths import find_clash
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.projection_parser import parse_projection
from tablature.engine.expressions.tokens import invalid_expression
from tablature.engine.expressions.vetting import prefixed, refuse_deep_paths, refuse_reserved_words

_PARAMETER = "ProjectionExpression"


def bind_projection(text: str, placeholders: Placeholders) -> Projection:
    paths = _vetted_paths(text)
    try:
        names = tuple(placeholders.use_name(key) for key in _name_keys(paths))
    except ServiceError as error:
        raise prefixed(_PARAMETER, error) from error
    return _resolved(text, names)


@lru_cache(maxsize=2048)
def _vetted_paths(text: str) -> tuple[PathNode, ...]:
    paths = parse_projection(text).paths
    refuse_reserved_words(paths, _PARAMETER)
    refuse_deep_paths(paths, _PARAMETER)
    return paths


def _name_keys(paths: tuple[PathNode, ...]) -> list[str]:
    return [key for path in paths for key in path.name_keys]


@lru_cache(maxsize=2048)
def _resolved(text: str, names: tuple[str, ...]) -> Projection:
    nodes = _vetted_paths(text)
    known = dict(zip(_name_keys(nodes), names, strict=True))
    paths = tuple(resolve_path(node, known) for node in nodes)
    clash = find_clash(paths)
    if clash:
        raise invalid_expression(_PARAMETER, clash)
    return Projection.of(paths)
