"""A second judge of what a model wrote about a sitting: asked over HTTP, it confirms a doubt and refuses the rest."""

import json

import httpx
import pytest
from aiohttp import web

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.web.app import create_app

TOKEN = "a-fixed-token-for-automation"
TRUE = "三億円の予算で五十館を整備する計画であります。"
DOUBTFUL = "三億円の予算で五十館を無料で整備する計画であります。"
FALSE = "五億円の予算で五十館を整備する計画であります。"
REFUSED = "お答えします。"


def levels():
    def cited(*texts):
        return [{"text": text, "references": ["s3"]} for text in texts]

    points = [{**point, "kind": "figure"} for point in cited(TRUE, DOUBTFUL, FALSE)]
    return {
        "title": "図書館整備法案",
        "description": TRUE,
        "categories": [],
        "key_points": points,
        "summary": cited(TRUE),
        "soft_language_summary": cited(TRUE),
        "middle_summary": [{"title": "質疑", "sentences": cited(TRUE, REFUSED)}],
    }


class JudgingModel:
    """Answers each step, and judges each sentence as the test wants."""

    def __init__(self, server, verdicts):
        self.server, self.verdicts, self.judged = server, verdicts, []

    async def reply(self, request: web.Request, body):
        text = json.dumps(body, ensure_ascii=False)
        if "Give each case a verdict" in text:
            cases = [line for line in body["messages"][-1]["content"].splitlines() if line.startswith("Source s")]
            self.judged += [case.partition(": ")[2] for case in cases]
            answer = {"judgements": [self.judge(*case.removeprefix("Source ").split(": ", 1)) for case in cases]}
        elif "notes on these speeches" in text:
            answer = {"dialogs": [], "keywords": [], "terms": []}
        else:
            answer = levels()
        return await self.server.says(answer)(request, body)

    def judge(self, case, sentence):
        verdict, reason = self.verdicts.get(sentence, ("supported", ""))
        return {
            "case": case,
            "verdict": verdict,
            "evidence": [f"{case}.1"] if verdict == "supported" else [],
            "reason": reason,
        }


@pytest.fixture
def judged_desks():
    return "recap"


@pytest.fixture
async def services(databases, diet_server, model_server, tmp_path, judged_desks, clock):
    """An installation with a model that also judges."""
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path,
            database_url=address,
            mail_url="memory:",
            recap_source=diet_server.url,
            recap_pause_seconds=0,
            fetch_allow="127.0.0.1",
            base_url="http://testserver",
            admin_token=TOKEN,
            llm_model="tiny",
            llm_base_url=model_server.url,
            llm_judge=judged_desks,
        )
        async with open_services(settings, clock) as services:
            yield services


@pytest.fixture
def published(desk, services, sitting):
    """Writes about a sitting and gives its article by the API and as a page."""

    async def published():
        (meeting,) = await desk.publish(sitting(1))
        transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers) as site:
            body = (await site.get(f"/api/v1/recap/articles/{meeting.issue_id}")).json()
            page = await site.get(f"/recap/articles/{meeting.issue_id}", headers={"Accept": "text/html"})
        return body["asset"], page.text

    return published


async def test_it_confirms_a_doubt_refuses_a_sentence_and_leaves_a_contradiction(published, model_server):
    model = JudgingModel(model_server, {REFUSED: ("unstated", "It says nothing.")})
    model_server.reply = model.reply

    asset, page = await published()

    assert [point["text"] for point in asset["key_points"]] == [TRUE, DOUBTFUL]
    assert asset["provenance"]["judged"] == [{"text": DOUBTFUL, "model": "openai:tiny"}]
    left_out = {sentence["text"]: sentence for sentence in asset["provenance"]["left_out"]}
    assert set(left_out) >= {FALSE, REFUSED}
    assert left_out[REFUSED]["kind"] == "judged"
    assert left_out[REFUSED]["reason"] == "openai:tiny judged: It says nothing."
    assert left_out[FALSE]["kind"] == "differs"
    assert FALSE not in model.judged
    assert "openai:tiny judged: It says nothing." in page
    assert "Supported, judged by openai:tiny." in page or "判定：openai:tiny" in page


@pytest.mark.parametrize("judged_desks", ["news"])
async def test_without_the_setting_of_the_desk_rules_decide(published, model_server):
    model = JudgingModel(model_server, {})
    model_server.reply = model.reply

    asset, _ = await published()

    assert [point["text"] for point in asset["key_points"]] == [TRUE]
    assert model.judged == []
