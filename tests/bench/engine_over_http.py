"""Every operation through boto3 over HTTP: ours against moto's server, ministack, dynalite, and boto3's own floor."""

import contextlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from botocore.exceptions import BotoCoreError, ClientError
from engine_servers import PEER_SERVERS, floor, ours
from engine_work import OPERATIONS, connect, prepare, workloads

from measure import Line, rates

SERVERS = {"ours": ours, "floor": floor} | PEER_SERVERS


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    """All servers run at once and take turns, each idle while another is measured."""
    with contextlib.ExitStack() as stack:
        clients = {name: _ready(stack.enter_context(start(folder))) for name, start in SERVERS.items()}
        works = {name: workloads(client) for name, client in clients.items()}
        return [_line(operation, works, seconds) for operation in OPERATIONS]


def _ready(url: str) -> Any:
    address = urlsplit(url)
    client = connect(f"{address.scheme}://{address.netloc}")
    prepare(client)
    return client


def _line(operation: str, works: dict[str, Any], seconds: float) -> Line:
    able = {name: work[operation] for name, work in works.items() if _can(work[operation])}
    measured = rates(able, seconds)
    peers = {name: measured[name] for name in PEER_SERVERS if name in measured}
    text = ", ".join(f"{name} {peers[name]:,.0f}" if name in peers else f"{name} –" for name in PEER_SERVERS)
    figures = f"ours {measured['ours']:,.0f}/s; {text}; boto3's floor {measured['floor']:,.0f}"
    best = max(peers.values())
    return Line(f"{operation}, boto3 over HTTP, against the best peer", figures, measured["ours"] / best, 1)


def _can(work: Any) -> bool:
    try:
        work()
    except (ClientError, BotoCoreError):
        return False
    return True
