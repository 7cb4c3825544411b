"""Parses projection text into its document paths."""

from functools import lru_cache

from tablature.engine.expressions.nodes import ProjectionTree
from tablature.engine.expressions.operands import OperandParser
from tablature.engine.expressions.tokens import TokenStream, refuse_unreadable


@lru_cache(maxsize=2048)
def parse_projection(text: str) -> ProjectionTree:
    refuse_unreadable(text, "ProjectionExpression")
    stream = TokenStream(text, "ProjectionExpression", frozenset())
    parser = OperandParser(stream)
    paths = [parser.path()]
    while stream.accept(","):
        paths.append(parser.path())
    stream.expect("end")
    return ProjectionTree(tuple(paths))
