"""Shortens what Jinja does hundreds of times on every page: writing a value, calling a macro or a plain function.

What templates mean stays the same; `tests/unit/http/test_template_runtime.py` compares both.
"""

from collections.abc import Callable, Iterator
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any

import markupsafe
from jinja2 import Environment, Template
from jinja2.runtime import Context, Macro
from markupsafe import Markup

# What `escape` itself calls for plain text, before it marks the result as safe: written in C where that is to be had.
_escape_text: Callable[[str], str] = vars(markupsafe)["_escape_inner"]
_PLAIN = frozenset({FunctionType, MethodType, BuiltinFunctionType, type(cache(id))})


def output_text(value: Any) -> str:
    """The text of a value for HTML, escaped unless it is marked as safe.

    Like `markupsafe.escape`, but what is written into a page needs no mark of its own afterwards.
    """
    kind = type(value)
    if kind is str:
        return _escape_text(value)
    if kind is Markup or hasattr(value, "__html__"):
        return str(value.__html__())
    return _escape_text(str(value))


@cache
def _has_plain_call(kind: type) -> bool:
    """Whether objects of a class of ours are called by a method that asks for neither context nor environment."""
    method = vars(kind).get("__call__")
    return type(method) is FunctionType and not hasattr(method, "jinja_pass_arg")


class QuickContext(Context):
    """A context that calls macros and plain functions directly; others may want the context or the environment."""

    def call(self, obj: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        kind: type = type(obj)
        if kind is Macro or ((kind in _PLAIN or _has_plain_call(kind)) and not hasattr(obj, "jinja_pass_arg")):
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
            return obj(*args, **kwargs)
        return super().call(obj, *args, **kwargs)


Parts = Callable[[Context], Iterator[str]]


def _joined(parts: Parts) -> Parts:
    """The parts of a template or block as one text: else each would pass through the generators of all around it."""

    def join(context: Context) -> Iterator[str]:
        yield "".join(parts(context))

    return join


class QuickTemplate(Template):
    """A template that writes values by `output_text`, and joins the text of each block at once."""

    @classmethod
    def from_code(cls, environment: Environment, code: CodeType, *rest: Any, **named: Any) -> Template:
        template = super().from_code(environment, code, *rest, **named)
        names = template.root_render_func.__globals__
        names["escape"] = output_text
        template.root_render_func = _joined(template.root_render_func)
        for name, block in list(template.blocks.items()):
            # By this name a block finds itself among those that it overrides, for `super()`.
            names[block.__name__] = template.blocks[name] = _joined(block)
        return template
