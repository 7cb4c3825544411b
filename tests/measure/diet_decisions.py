"""Measures the decisions that the rules read from labelled sittings: precision and recall of (item, result, counts).

Run by hand on a folder of official records: python tests/measure/diet_decisions.py --records DIR [--votes DIR].
The labels beside it were made by reading the sittings; README.md says how a row is written.
"""

import argparse
import csv
import gzip
import json
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.record import HouseDecision, Vote
from almanac.desks.recap.sources.diet_record import parse_meeting

LABELS = Path(__file__).with_suffix(".tsv")
# A label without one of these words isn't met by a decision with it: an amendment isn't the bill.
_ASPECTS = ("附帯決議", "修正案", "撤回", "動議")


@dataclass(frozen=True, slots=True)
class Label:
    """One decision as a reader of the sitting wrote it down; a minor one may be told or not."""

    issue: str
    order: int
    parts: tuple[str, ...]
    result: str
    method: str
    counts: str
    is_minor: bool


@dataclass(frozen=True, slots=True)
class SittingScore:
    """What was told of one sitting: right, false, and missed."""

    issue: str
    right: int
    false: tuple[str, ...]
    missed: tuple[str, ...]
    other_method: tuple[str, ...]


def main() -> int:
    """Print the figures; fails below the bars of 0.99 and 0.95."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, required=True, help="a folder of records, searched with its subfolders")
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--votes", type=Path, help="official results of the upper house, one gz JSON per session")
    options = parser.parse_args()
    labels = read_labels(options.labels)
    meetings = {meeting.issue_id: meeting for meeting in read_records(options.records)}
    decisions = {issue: read_facts(meeting).decisions for issue, meeting in meetings.items()}
    scores = [score_sitting(issue, decisions[issue], labels[issue]) for issue in sorted(decisions)]
    print_scores(scores)
    for issue in sorted(set(labels) - set(decisions)):
        print(f"labelled, but without a record: {issue}")
    differing = compare_votes(meetings, decisions, options.votes) if options.votes else 0
    precision, recall = overall(scores)
    return 0 if precision >= 0.99 and recall >= 0.95 and not differing else 1


def read_labels(path: Path) -> dict[str, list[Label]]:
    """The labels by sitting; a sitting without a row decided nothing."""
    labels: dict[str, list[Label]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            label = Label(
                issue=row["issue"],
                order=int(row["order"]),
                parts=tuple(_plain(part) for part in row["item"].split("＋")),
                result=row["result"],
                method=row["method"] or "",
                counts=row["counts"] or "",
                is_minor=row["note"] == "minor",
            )
            labels[label.issue].append(label)
    return labels


def read_records(folder: Path) -> Iterator[Meeting]:
    """Every meeting of every record below a folder."""
    for path in sorted(folder.rglob("*.json")):
        answer = json.loads(path.read_text(encoding="utf-8"))
        for record in answer.get("meetingRecord", ()) if isinstance(answer, dict) else ():
            yield parse_meeting(record)


def score_sitting(issue: str, decisions: Iterable[HouseDecision], labels: Iterable[Label]) -> SittingScore:
    """Each decision meets at most one label, and each label at most one decision."""
    open_labels, false, other_method, right = list(labels), [], [], 0
    for decision in decisions:
        label = next((each for each in open_labels if _meets(decision, each)), None)
        if label is None:
            false.append(_describe(decision))
            continue
        open_labels.remove(label)
        right += 1
        if label.method != decision.method:
            other_method.append(f"{_describe(decision)}: {decision.method or '-'}, not {label.method}")
    missed = [
        f"{each.order} {each.result} {'＋'.join(each.parts)} {each.counts}" for each in open_labels if not each.is_minor
    ]
    return SittingScore(issue, right, tuple(false), tuple(missed), tuple(other_method))


def _meets(decision: HouseDecision, label: Label) -> bool:
    subject = _plain(decision.subject)
    if decision.order != label.order or decision.outcome != label.result:
        return False
    if describe_vote(decision.vote) != label.counts or not all(part in subject for part in label.parts):
        return False
    if len(label.parts) == 1 and decision.bill and label.parts[0] != subject:
        return False
    return all((word in subject) == any(word in part for part in label.parts) for word in _ASPECTS)


def describe_vote(vote: Vote | None) -> str:
    """As in the labels: total/for/against, or the total and each name with its votes."""
    if vote is None:
        return ""
    if vote.ballots:
        return " ".join((str(vote.total), *(f"{each.name}{each.votes}" for each in vote.ballots)))
    return f"{vote.total}/{vote.in_favour}/{vote.against}"


def overall(scores: Iterable[SittingScore]) -> tuple[float, float]:
    """Precision and recall over all sittings; 1 where nothing was told or nothing was labelled."""
    rows = list(scores)
    right = sum(each.right for each in rows)
    extracted, labelled = right + sum(len(each.false) for each in rows), right + sum(len(each.missed) for each in rows)
    return right / extracted if extracted else 1.0, right / labelled if labelled else 1.0


def print_scores(scores: Iterable[SittingScore]) -> None:
    """A line for each sitting, every false and every missed decision below it, and the figures over all."""
    rows = list(scores)
    for each in rows:
        precision, recall = overall([each])
        print(f"{each.issue}\tright {each.right}\tprecision {precision:.3f}\trecall {recall:.3f}")
        for title, lines in (("false", each.false), ("missed", each.missed), ("method", each.other_method)):
            for line in lines:
                print(f"    {title}: {line}")
    precision, recall = overall(rows)
    right = sum(each.right for each in rows)
    print(f"all {len(rows)} sittings\tright {right}\tprecision {precision:.3f}\trecall {recall:.3f}")


def compare_votes(meetings: dict[str, Meeting], decisions: dict[str, tuple[HouseDecision, ...]], folder: Path) -> int:
    """Hold the counted votes of the upper house against the official results; the number of those that differ."""
    official = read_official_votes(folder)
    agreeing, differing = 0, 0
    for issue, meeting in sorted(meetings.items()):
        results = official.get(str(meeting.date), {})
        if meeting.house != "参議院" or meeting.meeting != "本会議" or not results:
            continue
        for decision in decisions[issue]:
            expected = results.get(_plain(decision.subject))
            if decision.vote is None or decision.vote.in_favour is None or expected is None:
                continue
            if expected == (decision.vote.total, decision.vote.in_favour, decision.vote.against):
                agreeing += 1
            else:
                differing += 1
                print(f"    differs from the official result: {issue} {_describe(decision)}, official {expected}")
    print(f"official results: {agreeing} votes agree, {differing} differ")
    return differing


def read_official_votes(folder: Path) -> dict[str, dict[str, tuple[int, int, int]]]:
    """Total, for and against of each counted vote, by day and title."""
    votes: dict[str, dict[str, tuple[int, int, int]]] = defaultdict(dict)
    for path in sorted(folder.glob("*.json.gz")):
        for topic in json.loads(gzip.decompress(path.read_bytes()))["topics"]:
            day, result = re.findall(r"\d+", topic["topic_date"]), topic["whole_result"]
            if isinstance(result, dict) and len(day) == 3:
                title = re.sub(r"\A日程第[0-9０-９]+[　 ]*|(?:（[^（）]*）)+\Z", "", topic["topic_title"])
                counts = tuple(int(result[name]) for name in ("total_votes", "yay", "nay"))
                votes[f"{int(day[0]):04}-{int(day[1]):02}-{int(day[2]):02}"][_plain(title)] = counts
    return votes


def _describe(decision: HouseDecision) -> str:
    return f"{decision.order} {decision.outcome} {decision.subject[:80]} {describe_vote(decision.vote)}".rstrip()


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


if __name__ == "__main__":
    sys.exit(main())
