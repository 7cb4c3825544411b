"""Official results by group stand beside a decision where day, title and counts are the same, and nowhere else."""

import json

import msgspec
import pytest

from almanac.desks.recap.model.group_votes import bind_votes, read_official_votes
from almanac.desks.recap.model.record import HouseDecision, Vote
from almanac.desks.recap.service import articles
from almanac.desks.recap.service.group_votes import import_votes, load_group_votes
from almanac.errors import InputError

TITLE = "図書館整備法案"
RESULT = """投票の結果を報告いたします。
　　投票総数　　二百二十
　　賛成　　百五十
　　反対　　七十
　よって、本案は可決されました。"""


def a_topic(title=f"日程第１　{TITLE}（内閣提出、衆議院送付）", day="2026年 2月 10日", yay=(120, 30), nay=(0, 70)):
    groups = [
        {"party_name": name, "member_num": 200, "yay": for_it, "nay": against, "votes": {}}
        for name, for_it, against in zip(("みらい会", "市民クラブ"), yay, nay, strict=True)
    ]
    whole = {"total_votes": sum(yay) + sum(nay), "yay": sum(yay), "nay": sum(nay)}
    return {"topic_title": title, "topic_date": day, "whole_result": whole, "voting_results": groups}


def a_decision(subject=TITLE, in_favour=150, against=70, total=220):
    vote = Vote(total=total, in_favour=in_favour, against=against)
    return HouseDecision(order=3, text="可決されました。", outcome="passed", subject=subject, vote=vote)


def official(*topics):
    return list(read_official_votes({"topics": topics}, "results"))


def test_day_title_and_counts_bind():
    bound = bind_votes([a_decision(), a_decision("別の法案", 100, 120)], official(a_topic()))
    assert {index: [group.name for group in vote.groups] for index, vote in bound.items()} == {
        0: ["みらい会", "市民クラブ"]
    }


@pytest.mark.parametrize(
    ("decisions", "topics"),
    [
        ([a_decision("学校図書館整備法案")], [a_topic()]),
        ([a_decision(in_favour=149, against=71)], [a_topic()]),
        ([a_decision(total=221)], [a_topic()]),
        ([msgspec.structs.replace(a_decision(), vote=None)], [a_topic()]),
        ([a_decision(subject="")], [a_topic("（内閣提出）")]),
        ([a_decision(), a_decision()], [a_topic()]),
        ([a_decision()], [a_topic(), a_topic("日程第２　図書館整備法案（第二百回国会提出）")]),
        ([a_decision()], [{**a_topic(), "whole_result": {"total_votes": 220, "yay": 151, "nay": 69}}]),
        ([a_decision()], [{**a_topic(), "whole_result": "起立採決により可決されました"}]),
    ],
)
def test_what_is_not_certain_is_not_shown(decisions, topics):
    assert bind_votes(decisions, official(*topics)) == {}


async def test_results_in_a_folder_are_shown_with_the_decision(desk, services, site, sitting, tmp_path):
    record = sitting(31, house="参議院", meeting="本会議")
    name = record["speechRecord"][1]["speaker"]
    texts = (
        f"○議長（{name}君）　日程第一　図書館整備法案を議題といたします。",
        f"○議長（{name}君）　これより採決をいたします。本案の賛否について、投票ボタンをお押し願います。",
        f"○議長（{name}君）　間もなく投票を終了いたします。――これにて投票を終了いたします。",
        f"○議長（{name}君）　{RESULT}",
    )
    first = record["speechRecord"][1]
    record["speechRecord"][1:] = [
        {**first, "speechOrder": order, "speech": text} for order, text in enumerate(texts, 1)
    ]
    (meeting,) = await desk.publish(record)
    article = await articles.open_article(services, meeting.issue_id)
    assert await load_group_votes(services, article) == {}
    (tmp_path / "session.json").write_text(json.dumps({"topics": [a_topic()]}), "utf-8")
    assert await import_votes(services, tmp_path, "参議院") == 1
    assert await import_votes(services, tmp_path, "参議院") == 1
    answer = await site.get(f"/api/v1/recap/articles/{meeting.issue_id}/votes")
    assert answer.status_code == 200, answer.text
    (vote,) = answer.json()
    assert (vote["in_favour"], vote["against"], vote["source"]) == (150, 70, "session.json")
    assert vote["groups"][1] == {"name": "市民クラブ", "in_favour": 30, "against": 70}
    page = (await site.get(f"/recap/articles/{meeting.issue_id}")).text
    assert "Votes by group" in page
    assert "session.json" in page
    (tmp_path / "session.json").write_text("[]", "utf-8")
    with pytest.raises(InputError):
        await import_votes(services, tmp_path, "参議院")
