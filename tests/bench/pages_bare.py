"""The bare mechanism of a page, to compare with: Starlette, Jinja2 and one query by the same driver and pool.

`/page` renders a table of as many rows, and as many bytes in all, as the page that it stands beside; `/json` answers
the rows as JSON. Started by `pages.py` with the address of the database; prints its port.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import uvicorn
from jinja2 import Environment
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

CELLS = 6
QUERY = """
SELECT number AS id, 'Row ' || number AS title, rpad('soft', %(width)s, ' word & word') AS text,
       now() AS at, number * 7 AS count, 'waiting' AS status
FROM generate_series(1, %(rows)s) AS number
"""
PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>{{ title }}</title></head>
<body>{{ frame }}
<table>
{% for row in rows %}
<tr class="{{ row.status }}"><td><a href="/things/{{ row.id }}">{{ row.title }}</a></td><td>{{ row.text }}</td>
<td><time datetime="{{ row.at }}">{{ row.at }}</time></td><td>{{ row.count }}</td><td>{{ row.status }}</td></tr>
{% endfor %}
</table></body></html>
"""
FIXED_BYTES_PER_ROW = 230
template = Environment(autoescape=True, trim_blocks=True).from_string(PAGE)


@cache
def frame_of(size: int) -> str:
    return "." * size


async def rows_for(request: Request) -> list[dict[str, object]]:
    params = {"rows": int(request.query_params["rows"]), "width": int(request.query_params["width"])}
    async with request.app.state.pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(QUERY, params)
        return await cursor.fetchall()


async def page(request: Request) -> HTMLResponse:
    rows, frame = await rows_for(request), frame_of(int(request.query_params["frame"]))
    return HTMLResponse(template.render(title="Bare", frame=frame, rows=rows))


async def answer(request: Request) -> JSONResponse:
    rows = await rows_for(request)
    return JSONResponse({"items": [{**row, "at": row["at"].isoformat()} for row in rows], "next_cursor": None})


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    pool = AsyncConnectionPool(sys.argv[1], kwargs={"autocommit": True}, min_size=1, max_size=10, open=False)
    async with pool:
        app.state.pool = pool
        yield


def main() -> None:
    app = Starlette(routes=[Route("/page", page), Route("/json", answer)], lifespan=lifespan)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        sys.stdout.write(f"{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        asyncio.run(server.serve(sockets=[listener]))


if __name__ == "__main__":
    main()
