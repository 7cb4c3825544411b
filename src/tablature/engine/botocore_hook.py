"""Serves boto3 and botocore clients from an engine in the same process, without a socket.

The hook answers botocore's `before-send` event, so a client keeps its own serialisation, retries and errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders

from tablature.engine.server.application import Application, CallsOperations
from tablature.engine.server.http import HttpRequest, HttpResponse


class HasEvents(Protocol):
    """A botocore client, or a boto3 client: anything with `meta.events`."""

    @property
    def meta(self) -> Any:
        """Where botocore keeps a client's event system."""


class _Body:
    """The part of a urllib3 response that botocore reads."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self, *_args: object, **_options: object) -> Iterator[bytes]:
        yield self._content

    def read(self, *_args: object, **_options: object) -> bytes:
        content, self._content = self._content, b""
        return content


def route(client: HasEvents, engine: CallsOperations) -> None:
    """Answer every request of a `dynamodb` or `dynamodbstreams` client from the engine from now on."""
    application = Application(engine)

    def respond(request: AWSPreparedRequest, **_context: object) -> AWSResponse:
        response = application.respond(_to_http(request))
        return AWSResponse(request.url, response.status, _headers(response), _Body(response.body))

    client.meta.events.register("before-send", respond)


def _to_http(request: AWSPreparedRequest) -> HttpRequest:
    body = request.body.encode() if isinstance(request.body, str) else request.body
    assert isinstance(body, bytes), "DynamoDB clients always send their body as one JSON document"
    headers = {name.lower(): _text(value) for name, value in request.headers.items()}
    return HttpRequest(request.method, request.url, headers, body)


def _headers(response: HttpResponse) -> HTTPHeaders:
    headers = HTTPHeaders()
    for name, value in response.headers.items():
        headers[name] = value
    return headers


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
