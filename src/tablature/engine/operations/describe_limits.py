"""DescribeLimits: the capacity quotas of an account, which nothing here enforces."""

from tablature.engine.context import Context, Request, Response

ACCOUNT_UNITS = 80_000
TABLE_UNITS = 40_000


def run(_context: Context, _request: Request) -> Response:
    return {
        "AccountMaxReadCapacityUnits": ACCOUNT_UNITS,
        "AccountMaxWriteCapacityUnits": ACCOUNT_UNITS,
        "TableMaxReadCapacityUnits": TABLE_UNITS,
        "TableMaxWriteCapacityUnits": TABLE_UNITS,
    }
