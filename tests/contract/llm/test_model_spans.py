"""A call to a model is traced by names and numbers; neither the sources nor the answer are in its span."""

from contextlib import contextmanager

import pytest

from almanac.kit import trace


class Recorder:
    """A tracer that keeps spans in a list."""

    def __init__(self):
        self.spans = []

    @contextmanager
    def span(self, name, linked_to, attributes):
        span = {"name": name, **attributes}
        self.spans.append(span)
        yield RecordedSpan(span)

    def context(self):
        return None

    def trace_id(self):
        return None


class RecordedSpan:
    """Writes into a dictionary."""

    def __init__(self, span):
        self._span = span

    def note(self, **attributes):
        self._span.update(attributes)

    def rename(self, name):
        self._span["name"] = name


@pytest.fixture
def recorder():
    recorder = Recorder()
    trace.use_tracer(recorder)
    yield recorder
    trace.use_tracer(None)


async def test_a_call_is_told_by_desk_step_model_and_tokens(workshop, model_server, point, given, good, recorder):
    model_server.then(model_server.says(good))
    await workshop.gateway().write(point, given, desk="news", subject="a subject of somebody")

    (use,) = await workshop.uses()
    (span,) = recorder.spans
    assert span == {
        "name": "model",
        "desk": "news",
        "step": "point",
        "model": use["model"],
        "outcome": "written",
        "input_tokens": use["input_tokens"],
        "output_tokens": use["output_tokens"],
    }
