"""Encode and decode fifteen attributes with another library, in the peers' environment; prints microseconds.

Usage: python layer_peers.py pynamodb|pydynantic|boto3|imports
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from layer_values import values

Work = Callable[[], object]
TEXTS = ("code", "title", "description", "status", "user_id", "user_email", "user_name")
NUMBERS = ("tone", "depth", "score")


def pynamodb() -> Work:
    from pynamodb import attributes  # noqa: PLC0415 - each peer is measured by itself
    from pynamodb.models import Model  # noqa: PLC0415 - the same

    body: dict[str, Any] = {name: attributes.UnicodeAttribute(hash_key=name == "code") for name in TEXTS}
    body |= {name: attributes.NumberAttribute() for name in NUMBERS}
    body |= {name: attributes.UTCDateTimeAttribute() for name in ("created_at", "updated_at")}
    body |= {"audience": attributes.ListAttribute(of=attributes.UnicodeAttribute)}
    body |= {"weekly": attributes.BooleanAttribute(), "meta": attributes.MapAttribute()}
    body["Meta"] = type("Meta", (), {"table_name": "newsletter", "region": "us-east-1"})
    newsletter = type("Newsletter", (Model,), body)
    entity = newsletter(**values())
    return lambda: newsletter.from_raw_data(entity.to_dynamodb_dict())


def pydynantic() -> Work:
    from pydantic import create_model  # noqa: PLC0415 - each peer is measured by itself
    from pydynantic.marshalling import deserialize_item, serialize_item  # noqa: PLC0415 - the same

    fields: Any = {name: (type(value), ...) for name, value in values().items()}
    model = create_model("Newsletter", **fields)
    entity = model(**values())
    return lambda: model.model_validate(deserialize_item(serialize_item(entity.model_dump())))


def boto3() -> Work:
    from boto3.dynamodb.types import TypeDeserializer, TypeSerializer  # noqa: PLC0415 - each peer is measured by itself

    plain = values() | {"score": Decimal("0.89")}
    plain |= {name: plain[name].isoformat() for name in ("created_at", "updated_at")}
    write, read = TypeSerializer().serialize, TypeDeserializer().deserialize
    return lambda: {n: read(v) for n, v in {n: write(v) for n, v in plain.items()}.items()}


def microseconds(work: Work, rounds: int = 15, times: int = 300) -> float:
    work()
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - start) / times * 1e6)
    return best


def import_milliseconds(module: str, rounds: int = 9) -> float:
    """The least processor time that a fresh interpreter needs to import a module that was imported before."""
    script = f"import time; start = time.process_time(); import {module}; print((time.process_time() - start) * 1e3)"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        return min(_milliseconds(script, environment) for _ in range(rounds))


def _milliseconds(script: str, environment: dict[str, str]) -> float:
    command = [sys.executable, "-c", script]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


if __name__ == "__main__":
    wanted = sys.argv[1]
    if wanted == "imports":
        print(import_milliseconds("boto3"))
    else:
        print(microseconds({"pynamodb": pynamodb, "pydynantic": pydynantic, "boto3": boto3}[wanted]()))
