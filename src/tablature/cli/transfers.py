"""`tablature export` and `import`: whole tables to a folder of files and back."""

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tablature.cli.arguments import Subcommands, add_command, parse_assignments
from tablature.cli.targets import add_target, open_transport
from tablature.errors import InputError
from tablature.transfer import export_tables, import_tables, run, verify_files
from tablature.transport.port import Transport


def add_transfers(commands: Subcommands) -> None:
    sentence = "Write every item of some tables to a folder, as lines of JSON with schema, count and checksum."
    parser = add_command(commands, "export", sentence, run_export)
    parser.add_argument("folder", metavar="FOLDER", help="the folder to write to; created when there is none")
    parser.add_argument(
        "--table", action="append", default=[], metavar="NAME", help="only this table; may be repeated (default: all)"
    )
    add_target(parser)
    sentence = "Verify an export and fill missing or empty tables with it, all or nothing."
    parser = add_command(commands, "import", sentence, run_import)
    parser.add_argument("folder", metavar="FOLDER", help="the folder of an export")
    parser.add_argument(
        "--name", action="append", default=[], metavar="FILE=TABLE", help="the table to fill from this file"
    )
    parser.add_argument(
        "--replace", action="store_true", help="let tables with items end with exactly the exported ones"
    )
    add_target(parser)


def run_export(options: Namespace) -> int:
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InputError(f"{folder} can't be written ({error.strerror}); name another folder.") from error
    with closing(open_transport(options)) as transport:
        tables = options.table or _list_tables(transport)
        steps = export_tables({name: name for name in tables}, folder, listener=_progress("exported"))
        for table in run(transport, steps):
            sys.stdout.write(f"{table.table}: {table.items:,} items, checksum {table.checksum}\n")
    return 0


def run_import(options: Namespace) -> int:
    folder = Path(options.folder)
    files = verify_files(folder)
    names = parse_assignments(options.name, "The table of a file")
    for name in names.keys() - {file.name for file in files}:
        raise InputError(f"The export has no file {name!r}; it has {', '.join(file.name for file in files)}.")
    with closing(open_transport(options, may_create=True)) as transport:
        steps = import_tables(folder, files, names=names, replace=options.replace, listener=_progress("imported"))
        run(transport, steps)
    for file in files:
        sys.stdout.write(f"{names.get(file.name, file.table)}: {file.items:,} items, compared\n")
    return 0


def _list_tables(transport: Transport) -> list[str]:
    names: list[str] = []
    request: dict[str, str] = {}
    while True:
        page = transport.send("ListTables", request)
        names += page["TableNames"]
        if not page.get("LastEvaluatedTableName"):
            return names
        request["ExclusiveStartTableName"] = page["LastEvaluatedTableName"]


def _progress(verb: str) -> Callable[[str, int], None]:
    def tell(table: str, items: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{table}: {items:,} {verb}")
            sys.stderr.flush()

    return tell
