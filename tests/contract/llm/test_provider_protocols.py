"""Anthropic, Google and Bedrock are asked in their own protocols; their answers are believed, booked or refused."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from almanac.llm.errors import ModelRateLimited, ModelRefused, ModelUnusable, TooLongForModel
from almanac.llm.model_config import ModelEndpoint, TokenPrice

WRONG_FORM = {"lines": ["It opened."]}
Answer = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class Protocol:
    """How one provider is spoken to: where it is asked, what shows the key, and how it words its answers."""

    name: str
    model: str
    path: str
    credential: tuple[str, str]
    build_answer: Callable[[dict[str, Any]], Answer]
    declined: Answer
    too_long: Answer
    wrong_key: Answer


def _anthropic(content: list[dict[str, Any]], stop: str) -> Answer:
    usage = {"input_tokens": 100, "output_tokens": 20}
    return 200, {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-tiny",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }


def _anthropic_error(status: int, kind: str, message: str) -> Answer:
    return status, {"type": "error", "error": {"type": kind, "message": message}}


def _google(candidate: dict[str, Any]) -> Answer:
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}
    return 200, {"candidates": [{"index": 0, **candidate}], "usageMetadata": usage, "modelVersion": "gemini-tiny"}


def _google_error(status: int, kind: str, message: str, reason: str = "") -> Answer:
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}] if reason else []
    return status, {"error": {"code": status, "message": message, "status": kind, "details": details}}


def _bedrock(content: list[dict[str, Any]], stop: str) -> Answer:
    usage = {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120}
    message = {"role": "assistant", "content": content}
    return 200, {"output": {"message": message}, "stopReason": stop, "usage": usage, "metrics": {"latencyMs": 1}}


PROTOCOLS = [
    Protocol(
        "anthropic",
        "claude-tiny",
        "/v1/messages",
        ("authorization", "Bearer a-key"),
        lambda answer: _anthropic(
            [{"type": "tool_use", "id": "toolu_1", "name": "answer", "input": answer}], "tool_use"
        ),
        _anthropic([], "refusal"),
        _anthropic_error(400, "invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum"),
        _anthropic_error(401, "authentication_error", "invalid x-api-key"),
    ),
    Protocol(
        "google",
        "gemini-tiny",
        "/v1/models/gemini-tiny:generateContent",
        ("x-goog-api-key", "a-key"),
        lambda answer: _google(
            {
                "content": {"role": "model", "parts": [{"functionCall": {"name": "answer", "args": answer}}]},
                "finishReason": "STOP",
            }
        ),
        _google({"finishReason": "SAFETY"}),
        _google_error(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
        ),
        _google_error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID"),
    ),
    Protocol(
        "bedrock",
        "amazon.nova-tiny",
        "/model/amazon.nova-tiny/converse",
        ("authorization", "AWS4-HMAC-SHA256 Cred"),
        lambda answer: _bedrock([{"toolUse": {"toolUseId": "t1", "name": "answer", "input": answer}}], "tool_use"),
        _bedrock([{"text": "I can't help with that."}], "guardrail_intervened"),
        (400, {"__type": "ValidationException", "message": "Input is too long for requested model."}),
        (403, {"__type": "AccessDeniedException", "message": "You don't have access to the model."}),
    ),
]


@dataclass
class Recorder:
    """Answers what the test has laid out, in order, and keeps what it was asked."""

    url: str = ""
    script: deque[Answer] = field(default_factory=deque)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """On threads of its own, because Bedrock's client blocks one, and with a parser that minds no doubled header."""
    kept = Recorder()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            kept.paths.append(self.path)
            kept.headers.append({name.lower(): value for name, value in self.headers.items()})
            kept.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            status, body = kept.script.popleft()
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if "__type" in body:
                self.send_header("x-amzn-ErrorType", body["__type"])
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        kept.url = f"http://127.0.0.1:{server.server_address[1]}"
        serving = threading.Thread(target=server.serve_forever, args=(0.05,))
        serving.start()
        yield kept
        server.shutdown()
        serving.join()


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: protocol.name)
def protocol(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Protocol:
    settings = {"AWS_DEFAULT_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "an-id", "AWS_SECRET_ACCESS_KEY": "a-secret"}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return request.param


@pytest.fixture
def gateway(workshop, recorder, protocol):
    """Amazon's client sends a key over https alone, so Bedrock is asked with credentials."""
    key = None if protocol.name == "bedrock" else "a-key"
    model = ModelEndpoint(provider=protocol.name, name=protocol.model, base_url=recorder.url, api_key=key)
    return workshop.gateway(steps={"point": model}, prices={protocol.model: TokenPrice(Decimal(10), Decimal(100))})


async def test_the_question_is_asked_and_the_answer_booked(
    workshop, gateway, recorder, protocol, point, given, good
) -> None:
    recorder.script.append(protocol.build_answer(good))

    written = await gateway.write(point, given, desk="news")

    assert written.output.sentences[0].text == "The bridge opened."
    name, value = protocol.credential
    assert (recorder.paths, recorder.headers[0][name].startswith(value)) == ([protocol.path], True)
    asked = json.dumps(recorder.asked[0])
    assert all(part in asked for part in ("in English", "[s1.2] It cost 4 million.", '"answer"', '"references"'))
    (use,) = await workshop.uses()
    assert (use["model"], use["outcome"], use["requests"]) == (f"{protocol.name}:{protocol.model}", "written", 1)
    assert (use["input_tokens"], use["output_tokens"], str(use["cost"].normalize())) == (100, 20, "0.003")


async def test_the_instructions_are_sent_when_the_prompt_holds_the_form(
    workshop, recorder, protocol, point, given, good
) -> None:
    recorder.script.append(protocol.build_answer(good))
    key = None if protocol.name == "bedrock" else "a-key"
    model = ModelEndpoint(provider=protocol.name, name=protocol.model, base_url=recorder.url, api_key=key)

    await workshop.gateway(steps={"point": model}, output="prompt").write(point, given, desk="news")

    asked = json.dumps(recorder.asked[0])
    assert "Write the point of the sources in English." in asked
    assert "references" in asked


async def test_a_wrong_form_is_sent_back_once_with_its_mistakes(
    workshop, gateway, recorder, protocol, point, given, good
) -> None:
    recorder.script.extend([protocol.build_answer(WRONG_FORM), protocol.build_answer(good)])

    await gateway.write(point, given, desk="news")

    assert "It opened." in json.dumps(recorder.asked[1])
    assert "sentences: Field required" in json.dumps(recorder.asked[1])
    (use,) = await workshop.uses()
    assert (use["outcome"], use["requests"], use["input_tokens"]) == ("repaired", 2, 200)


async def test_a_refusal_is_no_content_and_is_booked(workshop, gateway, recorder, protocol, point, given) -> None:
    recorder.script.append(protocol.declined)

    with pytest.raises(ModelRefused):
        await gateway.write(point, given, desk="news")

    (use,) = await workshop.uses()
    assert (use["outcome"], use["input_tokens"]) == ("refused", 100)


async def test_what_the_provider_refuses_says_what_to_change(gateway, recorder, protocol, point, given) -> None:
    recorder.script.extend([protocol.too_long, protocol.wrong_key])

    with pytest.raises(TooLongForModel):
        await gateway.write(point, given, desk="news")
    with pytest.raises(ModelUnusable, match="check ALMANAC_LLM_API_KEY"):
        await gateway.write(point, given, desk="news")


@pytest.mark.parametrize("protocol", PROTOCOLS[1:2], ids=["google"], indirect=True)
async def test_a_provider_that_asks_to_slow_down_is_asked_again_by_us_alone(
    workshop, gateway, recorder, point, given
) -> None:
    recorder.script.extend([_google_error(429, "RESOURCE_EXHAUSTED", "Quota exceeded.")] * 3)

    with pytest.raises(ModelRateLimited):
        await gateway.write(point, given, desk="news")

    assert (len(recorder.asked), len(workshop.waits)) == (3, 2)


@pytest.mark.parametrize(
    ("key", "environment", "sentence"),
    [
        (None, {"AWS_DEFAULT_REGION": "eu-west-1"}, "this machine has no credentials for it"),
        ("a-key", {"AWS_DEFAULT_REGION": "eu-west-1"}, "a key is only sent over https"),
        ("a-key", {}, "it needs a region; set AWS_REGION"),
    ],
)
async def test_bedrock_without_what_it_needs_says_so_in_one_sentence(
    workshop, monkeypatch, tmp_path, point, given, key, environment, sentence
) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    nothing = {
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(tmp_path / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "none"),
    }
    for name, value in (nothing | environment).items():
        monkeypatch.setenv(name, value)
    model = ModelEndpoint(provider="bedrock", name="amazon.nova-tiny", base_url="http://127.0.0.1:1", api_key=key)

    with pytest.raises(ModelUnusable, match=sentence):
        await workshop.gateway(steps={"point": model}).write(point, given, desk="news")
