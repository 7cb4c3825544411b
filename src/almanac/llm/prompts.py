"""Prompts as versioned files, `prompts/<step>.md`: a version line, then a Jinja2 template of the instructions.

Every field of the step's input is a variable (`{{ language }}`); an undefined one is an error. `{{ it | stand_in }}`
shows the alias of a source, its id or a reference, so that no real id gets out. Sources are rendered separately, so
that their text can't pass for an instruction.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from jinja2 import StrictUndefined, Template, TemplateError, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from almanac.kit.text import one_line
from almanac.language.boilerplate import find_omissions, is_instruction
from almanac.language.segmentation import split_sentences
from almanac.llm.sources import Reference, SourceAliases, StepInput, StepSource

_VERSION = re.compile(r"version: (\d+)\.(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt of a step. A new major version means that older texts are written again."""

    name: str
    major: int
    minor: int
    template: str

    @property
    def version(self) -> str:
        return f"{self.major}.{self.minor}"


def load_prompt(package: str | None, name: str) -> Prompt:
    """Load `<package>/prompts/<name>.md`: `PROMPT = load_prompt(__package__, "summary")`."""
    if not package:
        raise ValueError("Prompts live in a package; pass __package__.")
    return parse_prompt(name, files(package).joinpath("prompts", f"{name}.md").read_text(encoding="utf-8"))


def parse_prompt(name: str, text: str) -> Prompt:
    """Parse the version line and the template; raises ValueError if either is missing."""
    first, _, template = text.partition("\n")
    match = _VERSION.fullmatch(first.strip())
    if match is None:
        raise ValueError(f"The prompt {name} must open with a line such as `version: 1.0`.")
    if not template.strip():
        raise ValueError(f"The prompt {name} has no text below its version line.")
    return Prompt(name=name, major=int(match[1]), minor=int(match[2]), template=template.strip() + "\n")


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """What is sent: instructions, the sources under their aliases, and the aliases."""

    instructions: str
    sources: str
    aliases: SourceAliases


def render_prompt(prompt: Prompt, given: StepInput) -> RenderedPrompt:
    """Render a prompt for one input; raises ValueError if two sources share an id."""
    split = {source.id: _render_lines(source.text) for source in given.sources}
    if len(split) != len(given.sources):
        raise ValueError("Two sources of one step have the same id.")
    aliases = SourceAliases(tuple(split), tuple(map(len, split.values())))
    shown = [_render_source(source, split[source.id], aliases) for source in given.sources]
    return RenderedPrompt(_render_instructions(prompt, given, aliases), "\n\n".join(shown), aliases)


def _render_lines(text: str) -> list[str]:
    """The sentences, each on one line; empty where a sentence is boilerplate or an instruction to the writer."""
    split = split_sentences(text)
    omissions = find_omissions(split)
    return ["" if number in omissions else one_line(sentence.text) for number, sentence in enumerate(split)]


def _render_source(source: StepSource, lines: list[str], aliases: SourceAliases) -> str:
    """One line per sentence, so that a source can't forge the marker of another. Numbers of omitted ones stay free."""
    facts = [str(fact) for fact in (source.date, source.language) if fact]
    head = f"Source {aliases.alias_for(source.id)}" + (f" ({', '.join(facts)})" if facts else "")
    title = f"{head}: {one_line(source.title)}" if source.title and not is_instruction(source.title) else head
    shown = (f"[{aliases.alias_for(source.id, number)}] {line}" for number, line in enumerate(lines) if line)
    return "\n".join([title, *shown])


def _render_instructions(prompt: Prompt, given: StepInput, aliases: SourceAliases) -> str:
    names = {name: getattr(given, name) for name in dir(given) if not name.startswith("_") and name != "sources"}
    try:
        return _template(prompt).render(names, aliases=aliases).strip()
    except TemplateError as error:
        raise ValueError(f"The prompt {prompt.name} {prompt.version} can't be filled in: {error.message}.") from error


@pass_context
def _stand_in_filter(context: Context, what: str | StepSource | Reference) -> str:
    aliases = context["aliases"]
    assert isinstance(aliases, SourceAliases)
    if isinstance(what, Reference):
        return aliases.alias_for(what.source, what.sentence)
    return aliases.alias_for(what.id if isinstance(what, StepSource) else what)


_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
)
_ENVIRONMENT.filters["stand_in"] = _stand_in_filter


@lru_cache(maxsize=256)
def _template(prompt: Prompt) -> Template:
    return _ENVIRONMENT.from_string(prompt.template)
