"""The entry point of the command line: the parser, and errors as a sentence and an exit code."""

import argparse
import os
import sys
from collections.abc import Sequence

from tablature.cli.analysis import add_explain, add_lint
from tablature.cli.exports import add_exports
from tablature.cli.migrations import add_migrations
from tablature.cli.recovery import add_recovery
from tablature.cli.transfers import add_transfers
from tablature.errors import TablatureError

_USAGE_ERROR, _INTERRUPTED, _BROKEN_PIPE = 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns 0 on success, 1 if lint found something, 2 for invalid input."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except TablatureError as problem:
        sys.stderr.write(f"{problem}\n")
        return _USAGE_ERROR
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe; the interpreter must not report that again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tablature", description="Design tools for DynamoDB single tables.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add_command in (add_lint, add_exports, add_explain, add_migrations, add_transfers, add_recovery):
        add_command(commands)
    return parser
