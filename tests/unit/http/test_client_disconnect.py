"""A client that disconnects while its request is read gets no response and raises no alarm."""

import logging

from starlette.requests import Request

from almanac.http.error_handlers import UnhandledErrorMiddleware


async def read_it_all(scope, receive, _send):
    await Request(scope, receive).body()


async def test_a_client_that_hangs_up_raises_no_alarm(caplog):
    messages = []

    async def hang_up():
        return {"type": "http.disconnect"}

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "method": "POST", "path": "/api/v1/users", "headers": []}
    with caplog.at_level(logging.INFO):
        await UnhandledErrorMiddleware(read_it_all)(scope, hang_up, send)
    assert messages == []
    assert [record.levelname for record in caplog.records] == ["INFO"]
