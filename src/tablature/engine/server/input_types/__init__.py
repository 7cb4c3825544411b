"""The input of every operation as a type, by operation name.

Decoding a body against its type both parses and checks it in one pass; `serialization` words what doesn't fit.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from tablature.engine.server.input_types import backups, items, streams, tables

# Input types are only passed to msgspec and to `serialization`.
InputType = Any

ITEM_AND_TABLE_INPUTS: MappingProxyType[str, InputType] = MappingProxyType(
    {
        name.removesuffix("Input"): shape
        for module in (backups, items, tables)
        for name, shape in vars(module).items()
        if name.endswith("Input")
    }
    | {"DescribeEndpoints": tables.DescribeEndpointsRequest}
)

STREAM_INPUTS: MappingProxyType[str, InputType] = MappingProxyType(
    {name.removesuffix("Input"): shape for name, shape in vars(streams).items() if name.endswith("Input")}
)
