"""`tablature docs`, `cfn`, `terraform`, `iam` and `cost`: write a design to standard output."""

import sys
from argparse import Namespace

from tablature.cli.analysis import find_pattern
from tablature.cli.arguments import (
    Subcommands,
    add_command,
    add_entities,
    add_modules,
    add_names,
    load_design,
    parse_assignments,
    physical_names,
    select_entities,
    write_json,
)
from tablature.design.model import Design
from tablature.errors import InputError
from tablature.output.costs import costs, costs_data, costs_text
from tablature.output.documents import document
from tablature.output.iam import ACCESSES, PolicyScope, entity_policy, pattern_policy
from tablature.output.infrastructure import as_yaml, cloudformation, terraform


def add_exports(commands: Subcommands) -> None:
    docs = add_command(commands, "docs", "Describe the tables and access patterns in Markdown.", write_docs)
    add_modules(docs)
    docs.add_argument("--title", default="Tables and access patterns", help="the heading (default: %(default)s)")
    cfn = add_command(commands, "cfn", "Write the tables as a CloudFormation template.", write_cfn)
    add_modules(cfn)
    add_names(cfn)
    cfn.add_argument("--format", choices=("yaml", "json"), default="yaml", help="(default: %(default)s)")
    hcl = add_command(commands, "terraform", "Write the tables as Terraform configuration (.tf.json).", write_terraform)
    add_modules(hcl)
    add_names(hcl)
    _add_iam(commands)
    cost = add_command(commands, "cost", "Show the expected cost of verbs, patterns and actions.", write_costs)
    add_modules(cost)
    cost.add_argument("--json", action="store_true", help="write the costs as JSON")


def _add_iam(commands: Subcommands) -> None:
    parser = add_command(commands, "iam", "Write IAM policies that allow what entities or patterns need.", write_iam)
    add_modules(parser)
    add_names(parser)
    add_entities(parser)
    parser.add_argument("--pattern", action="append", default=[], metavar="NAME", help="only this access pattern")
    parser.add_argument("--access", choices=ACCESSES, help="only the policy of this kind, instead of all three")
    parser.add_argument("--region", default="*", help="the region of the tables (default: any)")
    parser.add_argument("--account", default="*", help="the account of the tables (default: any)")
    parser.add_argument(
        "--bind",
        action="append",
        default=[],
        metavar="FIELD=TEXT",
        help="fix a field of the keys, for instance user_id='${aws:PrincipalTag/user_id}'",
    )


def write_docs(options: Namespace) -> int:
    sys.stdout.write(document(load_design(options.modules), options.title))
    return 0


def write_cfn(options: Namespace) -> int:
    design = load_design(options.modules)
    template = cloudformation(design, physical_names(design, options.name))
    if options.format == "json":
        write_json(template)
    else:
        sys.stdout.write(as_yaml(template))
    return 0


def write_terraform(options: Namespace) -> int:
    design = load_design(options.modules)
    write_json(terraform(design, physical_names(design, options.name)))
    return 0


def write_iam(options: Namespace) -> int:
    design = load_design(options.modules)
    scope = PolicyScope(
        options.region, options.account, physical_names(design, options.name), _bound_fields(design, options.bind)
    )
    if options.pattern:
        if options.entity or options.access not in (None, "read-only"):
            raise InputError("A policy for patterns is read-only and names no entities.")
        write_json(pattern_policy([find_pattern(design, name) for name in options.pattern], scope))
        return 0
    entities = select_entities(design, options.entity)
    policies = {access: entity_policy(entities, access, scope) for access in ACCESSES}
    write_json(policies[options.access] if options.access else policies)
    return 0


def _bound_fields(design: Design, texts: list[str]) -> dict[str, str]:
    bound = parse_assignments(texts, "A bound field")
    field_names = {"each"} | {name for entity in design.entities for name in entity.fields}
    for name in bound.keys() - field_names:
        raise InputError(f"No entity has a field {name!r} that could be bound.")
    return bound


def write_costs(options: Namespace) -> int:
    design_costs = costs(load_design(options.modules))
    if options.json:
        write_json(costs_data(design_costs))
    else:
        sys.stdout.write(costs_text(design_costs))
    return 0
