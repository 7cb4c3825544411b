"""`tablature explain`: the requests of one access pattern, what a page costs, and what the linter says about it."""

from argparse import Namespace

from tablature.design.module import Design
from tablature.design.samples import sample_inputs
from tablature.explain import explain
from tablature.lint import lint
from tablature.lint.parts import subject
from tablature.schema.model import PatternSchema
from tablature.schema.patterns import Pattern, Query

from .arguments import Subcommands, add_command, add_modules, assignments, write_json
from .finding import find_pattern, read_inputs
from .loading import load_design


def add(commands: Subcommands) -> None:
    sentence = "Show the requests of an access pattern, its expected cost, and findings about it."
    parser = add_command(commands, "explain", sentence, run)
    add_modules(parser, 1)
    parser.add_argument("pattern", metavar="PATTERN", help="the pattern, as in Article.latest")
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT=VALUE",
        help="an input: a value, a span low..high, or a beginning abc*; samples are used where none is given",
    )


def run(options: Namespace) -> int:
    design = load_design(options.modules)
    pattern = find_pattern(design, options.pattern)
    given = read_inputs(pattern, assignments(options.inputs, "An input"))
    question: Query[object] = Pattern[object](pattern)(**{**sample_inputs(pattern), **given})
    found = explain(question)
    write_json(
        {
            "pattern": pattern.name,
            "doc": pattern.doc,
            "requests": list(found.requests),
            "order": pattern.order,
            "page": pattern.page,
            "rcu": found.rcu,
            "notes": list(found.findings),
            "findings": _findings(design, pattern),
        }
    )
    return 0


def _findings(design: Design, pattern: PatternSchema) -> list[dict[str, str]]:
    """What the linter says about the pattern and the path it reads."""
    about = {pattern.name, subject(pattern.entity, pattern.path)}
    return [
        {"code": finding.check.code, "severity": finding.check.severity, "message": finding.spot.message}
        for finding in lint(design).standing
        if finding.spot.subject in about
    ]
