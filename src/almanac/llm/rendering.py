"""A step and its input as the words that a model reads: instructions from the prompt, and the sources by sentence.

In a template every field of the input is a name (`{{ language }}`); one that doesn't exist is an error. Where a prompt
speaks of a source, its id or a reference it writes `{{ it | stand_in }}`, so that no real id gets out.
"""

from dataclasses import dataclass
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateError, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from almanac.kit.text import one_line
from almanac.language import sentences
from almanac.llm.prompts import Prompt
from almanac.llm.sources import Reference, Source
from almanac.llm.stand_ins import StandIns
from almanac.llm.step import StepInput


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent: instructions, the sources under their stand-ins, and the key to what the stand-ins mean."""

    instructions: str
    sources: str
    stand_ins: StandIns


def render(prompt: Prompt, given: StepInput) -> Request:
    """Fill in a prompt for one input."""
    split = {source.id: [one_line(sentence.text) for sentence in sentences(source.text)] for source in given.sources}
    if len(split) != len(given.sources):
        raise ValueError("Two sources of one step have the same id.")
    stand_ins = StandIns(tuple(split), tuple(map(len, split.values())))
    shown = [_show(source, split[source.id], stand_ins) for source in given.sources]
    return Request(_fill(prompt, given, stand_ins), "\n\n".join(shown), stand_ins)


def _show(source: Source, lines: list[str], stand_ins: StandIns) -> str:
    """One line for a sentence, whatever breaks it holds: a source can't forge the mark of another."""
    facts = [str(fact) for fact in (source.date, source.language) if fact]
    head = f"Source {stand_ins.of(source.id)}" + (f" ({', '.join(facts)})" if facts else "")
    title = f"{head}: {one_line(source.title)}" if source.title else head
    return "\n".join([title, *(f"[{stand_ins.of(source.id, n)}] {line}" for n, line in enumerate(lines))])


def _fill(prompt: Prompt, given: StepInput, stand_ins: StandIns) -> str:
    names = {name: getattr(given, name) for name in dir(given) if not name.startswith("_") and name != "sources"}
    try:
        return _template(prompt).render(names, stand_ins=stand_ins).strip()
    except TemplateError as error:
        raise ValueError(f"The prompt {prompt.name} {prompt.version} can't be filled in: {error.message}.") from error


@pass_context
def _stand_in(context: Context, what: str | Source | Reference) -> str:
    stand_ins = context["stand_ins"]
    assert isinstance(stand_ins, StandIns)
    if isinstance(what, Reference):
        return stand_ins.of(what.source, what.sentence)
    return stand_ins.of(what.id if isinstance(what, Source) else what)


_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
)
_ENVIRONMENT.filters["stand_in"] = _stand_in


@lru_cache(maxsize=256)
def _template(prompt: Prompt) -> Template:
    return _ENVIRONMENT.from_string(prompt.template)
