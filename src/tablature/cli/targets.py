"""Where a command that reads or writes items finds them: the file of an embedded engine, or a service."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from tablature.engine.storage import UnreadableFile
from tablature.errors import InputError
from tablature.transport.aws import Aws
from tablature.transport.embedded import Embedded
from tablature.transport.port import Transport


def add_target(parser: ArgumentParser) -> None:
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--path", help="the file of an embedded engine")
    target.add_argument("--endpoint", metavar="URL", help="the address of a DynamoDB-compatible service")
    target.add_argument("--aws", action="store_true", help="Amazon DynamoDB")
    parser.add_argument("--region", help="the region (default: from the environment, as in every AWS tool)")


def open_transport(options: Namespace, *, may_create: bool = False) -> Transport:
    """The transport that the options name. A missing file is created only where that is wanted."""
    if options.path is None:
        region = options.region or ("local" if options.endpoint else None)
        return Aws(endpoint_url=options.endpoint, region=region)
    if not may_create and not Path(options.path).is_file():
        raise InputError(f"File {options.path!r} doesn't exist; name the file of an embedded engine.")
    try:
        return Embedded(options.path)
    except (UnreadableFile, OSError) as problem:
        raise InputError(f"{options.path!r} can't be opened: {problem}.") from problem
