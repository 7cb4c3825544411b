"""Traces reach a collector by OTLP: requests, jobs linked to the request that deferred them, mail; nothing personal."""

import asyncio
import gzip
import json
import logging

import pytest
from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from almanac.bootstrap import make_worker
from almanac.errors import SettingError
from almanac.jobs import JobType
from almanac.kit import trace as tracing
from almanac.kit.logs import JsonLines
from almanac.telemetry import start_tracing
from almanac.telemetry.exporter import OtelTracer

ADDRESS = "grace.hopper@example.org"


@pytest.fixture
async def collector():
    """A receiver of OTLP on loopback; its list fills with the spans that arrive, and the raw bytes."""
    spans, raw = [], []

    async def take(request):
        body = await request.read()
        body = gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body
        raw.append(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            spans.extend(span for scope in resource.scope_spans for span in scope.spans)
        return web.Response()

    app = web.Application()
    app.router.add_post("/v1/traces", take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    yield f"http://127.0.0.1:{port}", spans, raw
    await runner.cleanup()


@pytest.fixture
async def traced(collector):
    tracer = OtelTracer(collector[0])
    tracing.use_tracer(tracer)
    yield tracer
    tracing.use_tracer(None)
    await asyncio.to_thread(tracer._provider.shutdown)


async def flush(tracer):
    """The exporter sends from a thread, so that the collector in this loop can answer."""
    await asyncio.to_thread(tracer.flush)


def attributes(span):
    return {pair.key: pair.value.string_value or pair.value.int_value for pair in span.attributes}


async def test_a_job_is_linked_to_the_request_that_deferred_it(traced, collector, admin, services):
    ran = []

    async def work(job) -> None:
        ran.append(tracing.current_trace_id())

    services.jobs.registry.add(task := JobType("demo.work", work))
    with tracing.span("request") as span:
        span.note(route="/demo")
        asked_in = tracing.current_trace_id()
        await services.jobs.defer(task)
    await make_worker(services).drain()
    await flush(traced)

    (job,) = [span for span in collector[1] if span.name == "job demo.work"]
    assert [link.trace_id.hex() for link in job.links] == [asked_in]
    assert job.trace_id.hex() == ran[0] != asked_in
    assert attributes(job) == {"almanac.task": "demo.work", "almanac.attempt": 1}


async def test_requests_and_mail_are_traced_without_anything_personal(traced, collector, admin, services, person):
    await person(email=ADDRESS)
    await admin.get(f"/people?text={ADDRESS}")
    await admin.post(
        "/people/invite", {"email": ADDRESS.replace("grace", "ada"), "name": "Ada Secret", "role": "member"}
    )
    await make_worker(services).drain()
    await flush(traced)

    named = {span.name: span for span in collector[1]}
    assert attributes(named["GET /people"]) == {
        "almanac.method": "GET",
        "almanac.route": "/people",
        "almanac.status": 200,
    }
    assert "job mail.deliver" in named
    assert attributes(named["mail"]) == {"almanac.transport": "memory", "almanac.outcome": "sent"}
    everything = b"".join(collector[2])
    for private in (b"example.org", b"Ada Secret", admin.user.id.encode()):
        assert private not in everything


async def test_an_error_is_told_by_its_class_alone(traced, collector):
    with pytest.raises(ValueError, match="secret"), tracing.span("work"):
        raise ValueError("secret words")
    await flush(traced)
    assert attributes(collector[1][0]) == {"almanac.error": "ValueError"}
    assert b"secret words" not in b"".join(collector[2])


async def test_log_lines_name_the_trace(traced):
    with tracing.span("work"):
        line = json.loads(JsonLines().format(logging.makeLogRecord({"msg": "hello"})))
        assert line["trace_id"] == tracing.current_trace_id()
    assert "trace_id" not in json.loads(JsonLines().format(logging.makeLogRecord({"msg": "hello"})))


async def test_without_a_tracer_nothing_is_recorded():
    with tracing.span("work") as span:
        span.note(step="summary")
        assert tracing.trace_context() is None


def test_a_missing_extra_is_a_wrong_setting(monkeypatch):
    monkeypatch.setattr("almanac.telemetry._EXPORTER", "almanac.telemetry.not_installed")
    with pytest.raises(SettingError, match=r"almanac\[otel\]"):
        start_tracing("http://127.0.0.1:4318")
    start_tracing(None)
