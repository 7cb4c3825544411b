"""DescribeEndpoints: the regional address that endpoint discovery would use."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.context import Context
from tablature.engine.tables.arns import REGION

CACHE_MINUTES = 1440


def run(_context: Context, _request: Mapping[str, Any]) -> dict[str, Any]:
    return {"Endpoints": [{"Address": f"dynamodb.{REGION}.amazonaws.com", "CachePeriodInMinutes": CACHE_MINUTES}]}
