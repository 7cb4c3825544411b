"""DescribeEndpoints: the regional address that endpoint discovery would use."""

from tablature.engine.context import Context, Request, Response

CACHE_MINUTES = 1440


def run(context: Context, _request: Request) -> Response:
    return {
        "Endpoints": [{"Address": f"dynamodb.{context.region}.amazonaws.com", "CachePeriodInMinutes": CACHE_MINUTES}]
    }
