"""Traces for OpenTelemetry, an extra: nothing of it is loaded unless an endpoint is set."""

from importlib import import_module

from almanac.errors import SettingError
from almanac.kit.trace import use_tracer

_EXPORTER = "almanac.telemetry.exporter"


def start_tracing(endpoint: str | None) -> None:
    """Trace this process if there is an endpoint; SettingError where the extra isn't installed."""
    if endpoint is None:
        return
    try:
        exporter = import_module(_EXPORTER)
    except ImportError as error:
        raise SettingError(
            "ALMANAC_OTLP_ENDPOINT is set and OpenTelemetry isn't installed; run `pip install almanac[otel]`."
        ) from error
    use_tracer(exporter.OtelTracer(endpoint))
