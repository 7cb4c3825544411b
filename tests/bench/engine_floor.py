"""A server that does no work: it answers each operation with what a real one would have, for boto3's own floor."""

import signal
import sys
from typing import Any

from engine_work import item

from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server

ANSWERS: dict[str, dict[str, Any]] = {
    "GetItem": {"Item": item("one", "1")},
    "Query": {"Items": [item("hundred", f"{number:03d}") for number in range(100)], "Count": 100, "ScannedCount": 100},
    "BatchWriteItem": {"UnprocessedItems": {}},
    "DescribeTable": {"Table": {"TableStatus": "ACTIVE"}},
}


class IdleEngine:
    """Answers without looking."""

    def call(self, operation: str, _request: dict[str, Any]) -> dict[str, Any]:
        return ANSWERS.get(operation, {})


if __name__ == "__main__":
    server = Server(Application(IdleEngine()))
    server.start()
    sys.stdout.write(f"Listening on http://{server.host}:{server.port}\n")
    sys.stdout.flush()
    signal.sigwait({signal.SIGTERM})
