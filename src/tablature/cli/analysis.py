"""`tablature explain` and `tablature lint`: the requests of one access pattern, and the findings of the linter."""

import sys
from argparse import Namespace
from typing import Any

from tablature.cli.arguments import (
    Subcommands,
    add_command,
    add_modules,
    load_design,
    parse_assignments,
    positive_int,
    write_json,
)
from tablature.design.model import DEFAULT_PEAK_WRITES, Design
from tablature.design.samples import sample_inputs
from tablature.errors import InputError
from tablature.explain import explain
from tablature.lint.checks import kind_of_field, subject_name
from tablature.lint.report import reference_page, report_data, report_text
from tablature.lint.run import lint
from tablature.schema.kinds import ValueKind
from tablature.schema.model import PatternSchema
from tablature.schema.patterns import Pattern, Query, at_least, at_most, between, starting_with

_RANGE, _PREFIX = "..", "*"


def find_pattern(design: Design, name: str) -> PatternSchema:
    """The pattern with this name. The entity's name may be left out if the rest is unique."""
    patterns = {pattern.name: pattern for pattern in design.patterns}
    matches = [pattern for full, pattern in patterns.items() if name in (full, full.partition(".")[2])]
    if len(matches) == 1:
        return matches[0]
    names = ", ".join(pattern.name for pattern in matches or patterns.values()) or "none"
    problem = f"{name!r} is the name of several patterns" if matches else f"No pattern is named {name!r}"
    raise InputError(f"{problem}; choose among {names}.")


def read_inputs(pattern: PatternSchema, texts: dict[str, str]) -> dict[str, Any]:
    """Parse inputs: a value, a range `low..high` with either end open, or a prefix `abc*`."""
    allowed = (*pattern.needed, *pattern.optional)
    for name in texts:
        if name not in allowed:
            raise InputError(f"{pattern.name} has no input {name!r}; it has {', '.join(allowed) or 'none'}.")
    return {
        name: _parse_input(name, kind_of_field(pattern.entity, pattern.path, name), text)
        for name, text in texts.items()
    }


def _parse_input(name: str, kind: ValueKind, text: str) -> Any:
    if text.endswith(_PREFIX):
        return starting_with(text.removesuffix(_PREFIX))
    low, separator, high = text.partition(_RANGE)
    if not separator:
        return _parse_value(name, kind, text)
    if not low:
        return at_most(_parse_value(name, kind, high))
    return (
        between(_parse_value(name, kind, low), _parse_value(name, kind, high))
        if high
        else at_least(_parse_value(name, kind, low))
    )


def _parse_value(name: str, kind: ValueKind, text: str) -> Any:
    wire: Any = {"true": True, "false": False}.get(text.lower()) if kind.wire == "BOOL" else text
    try:
        return kind.decode({kind.wire: wire})
    except (TypeError, ValueError, ArithmeticError, KeyError) as problem:
        raise InputError(f"{name!r} takes a value of type {kind.name}, not {text!r}.") from problem


def add_explain(commands: Subcommands) -> None:
    sentence = "Show the requests of an access pattern, its expected cost, and findings about it."
    parser = add_command(commands, "explain", sentence, run_explain)
    add_modules(parser, 1)
    parser.add_argument("pattern", metavar="PATTERN", help="the pattern, as in Article.latest")
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT=VALUE",
        help="an input: a value, a range low..high, or a prefix abc*; missing inputs get sample values",
    )


def run_explain(options: Namespace) -> int:
    design = load_design(options.modules)
    pattern = find_pattern(design, options.pattern)
    inputs = read_inputs(pattern, parse_assignments(options.inputs, "An input"))
    query: Query[object] = Pattern[object](pattern)(**{**sample_inputs(pattern), **inputs})
    explanation = explain(query)
    write_json(
        {
            "pattern": pattern.name,
            "doc": pattern.doc,
            "requests": list(explanation.requests),
            "order": pattern.order,
            "page": pattern.page,
            "rcu": explanation.rcu,
            "notes": list(explanation.findings),
            "findings": _pattern_findings(design, pattern),
        }
    )
    return 0


def _pattern_findings(design: Design, pattern: PatternSchema) -> list[dict[str, str]]:
    """Lint findings about the pattern and the path it reads."""
    about = {pattern.name, subject_name(pattern.entity, pattern.path)}
    return [
        {"code": finding.check.code, "severity": finding.check.severity, "message": finding.issue.message}
        for finding in lint(design).findings
        if finding.issue.subject in about
    ]


def add_lint(commands: Subcommands) -> None:
    parser = add_command(commands, "lint", "Check the design of the tables a module declares.", run_lint)
    add_modules(parser, "*")
    parser.add_argument("--json", action="store_true", help="write the findings as JSON")
    parser.add_argument(
        "--peak-writes",
        type=positive_int,
        default=DEFAULT_PEAK_WRITES,
        metavar="N",
        help="the most items of one entity written per second, to count shards (default: %(default)s)",
    )
    parser.add_argument("--reference", action="store_true", help="write the reference page of all checks instead")


def run_lint(options: Namespace) -> int:
    """Exit code 1 if there is an open error or warning."""
    if options.reference:
        sys.stdout.write(reference_page())
        return 0
    if not options.modules:
        raise InputError("Name a module that declares tables, or ask for --reference.")
    report = lint(load_design(options.modules, peak_writes=options.peak_writes))
    if options.json:
        write_json(report_data(report))
    else:
        sys.stdout.write(report_text(report) + "\n")
    return int(report.fails)
