"""Spans as OpenTelemetry records them, sent to a collector by OTLP over HTTP in batches, from a thread of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from almanac import __version__
from almanac.kit.trace import AttributeValue

_PATH = "/v1/traces"
_PROPAGATOR = TraceContextTextMapPropagator()
_HEADER = "traceparent"


class OtelSpan:
    """A span of OpenTelemetry."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def note(self, **attributes: AttributeValue) -> None:
        for name, value in attributes.items():
            self._span.set_attribute(f"almanac.{name}", value)


class OtelTracer:
    """Records spans and sends them. A collector that is away costs spans, never a request."""

    def __init__(self, endpoint: str) -> None:
        address = endpoint.rstrip("/")
        address = address if address.endswith(_PATH) else address + _PATH
        resource = Resource.create({"service.name": "almanac", "service.version": __version__})
        self._provider = TracerProvider(resource=resource)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))
        self._tracer = self._provider.get_tracer("almanac")

    @contextmanager
    def span(self, name: str, linked_to: str | None, attributes: dict[str, AttributeValue]) -> Iterator[OtelSpan]:
        """Errors are noted by their class: a message may quote what somebody typed."""
        links = []
        if linked_to:
            origin = trace.get_current_span(_PROPAGATOR.extract({_HEADER: linked_to}))
            links.append(trace.Link(origin.get_span_context()))
        with self._tracer.start_as_current_span(
            name, links=links, record_exception=False, set_status_on_exception=False
        ) as span:
            current = OtelSpan(span)
            current.note(**attributes)
            try:
                yield current
            except BaseException as error:
                current.note(error=type(error).__name__)
                span.set_status(trace.StatusCode.ERROR)
                raise

    def context(self) -> str | None:
        carrier: dict[str, str] = {}
        _PROPAGATOR.inject(carrier)
        return carrier.get(_HEADER)

    def trace_id(self) -> str | None:
        context = trace.get_current_span().get_span_context()
        return trace.format_trace_id(context.trace_id) if context.is_valid else None

    def flush(self) -> None:
        """Send what is recorded, now."""
        self._provider.force_flush()
