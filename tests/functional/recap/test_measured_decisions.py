"""The measure of decisions prints precision and recall, names what is false or missed, and compares official votes."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "measure" / "diet_decisions.py"
WATER, RIVER = "水道法の一部を改正する法律案", "河川法の一部を改正する法律案"
PRESIDENT = "○議長（浜名徹君）　"
RESULT = (
    "投票の結果を報告いたします。\r\n　投票総数　　{}\r\n　賛成　　{}\r\n　反対　　{}\r\n　よって、本案は{}されました。"
)
SPEECHES = (
    f"日程第一　{WATER}\r\n　日程第二　{RIVER}\r\n　　（いずれも内閣提出）\r\n　以上両案を一括して議題といたします。",
    f"まず、{WATER}の採決をいたします。\r\n　本案の賛否について、投票ボタンをお押し願います。",
    RESULT.format("二百三十", "二百二十", "十", "可決"),
    f"次に、{RIVER}の採決をいたします。\r\n　本案の賛否について、投票ボタンをお押し願います。",
    RESULT.format("二百三十", "百", "百三十", "否決"),
)
HEADING = "issue\torder\titem\tresult\tmethod\tcounts\tnote"
LABELS = (
    f"X1\t3\t{WATER}\tpassed\t押しボタン\t230/220/10\t",
    f"X1\t5\t{RIVER}\trejected\t押しボタン\t230/100/130\t",
)


@pytest.fixture
def measure(tmp_path):
    """Run the script on an invented sitting with these labels and official results."""
    records, votes = tmp_path / "records", tmp_path / "votes"
    records.mkdir()
    votes.mkdir()
    speeches = [
        {"speechID": f"X1_{order}", "speechOrder": order, "speaker": "浜名徹", "speech": PRESIDENT + text}
        for order, text in enumerate(SPEECHES, 1)
    ]
    sitting = {
        "issueID": "X1",
        "session": 251,
        "nameOfHouse": "参議院",
        "nameOfMeeting": "本会議",
        "issue": "第一号",
        "date": "2026-04-08",
        "speechRecord": speeches,
    }
    (records / "X1.json").write_text(json.dumps({"meetingRecord": [sitting]}), encoding="utf-8")

    def run(*labels, official_against=10):
        (tmp_path / "labels.tsv").write_text("\n".join((HEADING, *labels)), encoding="utf-8")
        counts = {"total_votes": 220 + official_against, "yay": 220, "nay": official_against}
        topic = {
            "topic_title": f"日程第１　{WATER}（内閣提出）",
            "topic_date": "2026年 4月 8日",
            "whole_result": counts,
        }
        (votes / "session_251.json.gz").write_bytes(gzip.compress(json.dumps({"topics": [topic]}).encode()))
        options = ("--records", records, "--labels", tmp_path / "labels.tsv", "--votes", votes)
        return subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True, check=False)

    return run


def test_right_labels_are_all_met(measure):
    run = measure(*LABELS)
    assert "all 1 sittings\tright 2\tprecision 1.000\trecall 1.000" in run.stdout
    assert "official results: 1 votes agree, 0 differ" in run.stdout
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_wrong_label_lowers_the_figures_and_is_listed(measure):
    run = measure(LABELS[0], LABELS[1].replace("230/100/130", "230/130/100"), official_against=11)
    assert "precision 0.500\trecall 0.500" in run.stdout
    assert f"false: 5 rejected {RIVER} 230/100/130" in run.stdout
    assert f"missed: 5 rejected {RIVER} 230/130/100" in run.stdout
    assert "differs from the official result" in run.stdout
    assert run.returncode == 1
