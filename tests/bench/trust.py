"""How well false sentences are told from faithful ones: our own labelled pairs, and those of a given folder.

`make bench BENCH=trust PAIRS=folder` also reads `*.jsonl.gz` files with lines of `source`, `sentence`, `label`
("supported" or not) and, if known, `kind`: one origin a file. Kinds of edits are split at commas.
"""

import gzip
import json
import os
import sys
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from almanac.language.segmentation import split_sentences
from almanac.verify import CitedClaim, Verdict, check
from measure import Line

OWN_PAIRS = Path(__file__).parents[1] / "unit" / "verify" / "pairs"
CONTRADICTED = {Verdict.CHANGED, Verdict.UNSUPPORTED}
# The least recall by any flag of pairs that others judged, by the name of the file.
RECALL = {"begin": 0.90, "faithdial_audit": 0.90, "wice": 0.85, "summedits": 0.70}
RECALL_OF_OTHERS = 0.65
MOST_FLAGGED = 0.25
PRECISION, OWN_RECALL = 0.95, 0.92
PASSAGES, SENTENCES, SECONDS_AT_MOST = 40, 100, 1.0


@dataclass(frozen=True)
class JudgedPair:
    """A sentence and its source, and whether a person found it faithful."""

    source: str
    text: str
    is_fault: bool
    kinds: tuple[str, ...] = ()
    reference: str = "source"


@dataclass
class TrustTally:
    """Counts of one origin or kind."""

    faults: int = 0
    flagged: int = 0
    contradicted: int = 0
    faithful: int = 0
    alarms: int = 0
    unconfirmed: int = 0

    def add(self, pair: JudgedPair, verdict: Verdict) -> None:
        if pair.is_fault:
            self.faults += 1
            self.flagged += verdict is not Verdict.SUPPORTED
            self.contradicted += verdict in CONTRADICTED
        else:
            self.faithful += 1
            self.alarms += verdict in CONTRADICTED
            self.unconfirmed += verdict is Verdict.UNCONFIRMED

    @property
    def recall(self) -> float:
        return self.flagged / self.faults if self.faults else 1.0

    @property
    def precision(self) -> float:
        named = self.contradicted + self.alarms
        return self.contradicted / named if named else 1.0

    @property
    def share_flagged(self) -> float:
        return (self.alarms + self.unconfirmed) / self.faithful if self.faithful else 0.0

    def __str__(self) -> str:
        return (
            f"{self.flagged} of {self.faults} faults flagged, {self.contradicted} of them as changed or unsupported; "
            f"{self.unconfirmed} of {self.faithful} faithful unconfirmed, {self.alarms} falsely called changed"
        )


@dataclass
class OriginTally:
    """The counts of an origin, and of each kind of its faults and faithful sentences."""

    total: TrustTally = field(default_factory=TrustTally)
    by_kind: dict[str, TrustTally] = field(default_factory=dict)


def lines(_folder: Path) -> list[Line]:
    origins = dict(_own_origins())
    own = set(origins)
    if folder := os.environ.get("PAIRS"):
        origins |= dict(_given_origins(Path(folder)))
    results: list[Line] = []
    with ProcessPoolExecutor() as pool:
        for name, pairs in origins.items():
            tally = _tally(pairs, list(pool.map(_verdict, pairs, chunksize=25)))
            _print_kinds(name, tally)
            results += _own_lines(name, tally) if name in own else _given_lines(name, tally)
    return [*results, _speed()]


def _own_origins() -> Iterator[tuple[str, list[JudgedPair]]]:
    origins: dict[str, list[JudgedPair]] = {}
    for file in sorted(OWN_PAIRS.glob("*.toml")):
        for case in tomllib.loads(file.read_text("utf-8"))["case"]:
            for label, kind, text in case["pairs"]:
                reference = "elsewhere" if kind == "dangling" else "source"
                pair = JudgedPair(case["source"], text, label == "fault", (kind,), reference)
                origins.setdefault(f"own pairs, {file.name[:2]}", []).append(pair)
    yield from origins.items()


def _given_origins(folder: Path) -> Iterator[tuple[str, list[JudgedPair]]]:
    for file in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as opened:
            rows = [json.loads(line) for line in opened]
        yield (
            file.name.removesuffix(".jsonl.gz"),
            [
                JudgedPair(row["source"], row["sentence"], row["label"] != "supported", _kinds(row.get("kind") or ""))
                for row in rows
            ],
        )


def _kinds(kind: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in kind.rpartition(":")[2].split(",") if part.strip())


def _verdict(pair: JudgedPair) -> Verdict:
    return check([CitedClaim(pair.text, (pair.reference,))], {"source": pair.source}).sentences[0].verdict


def _tally(pairs: list[JudgedPair], verdicts: list[Verdict]) -> OriginTally:
    tally = OriginTally()
    for pair, verdict in zip(pairs, verdicts, strict=True):
        tally.total.add(pair, verdict)
        for kind in pair.kinds:
            tally.by_kind.setdefault(kind, TrustTally()).add(pair, verdict)
    return tally


def _print_kinds(name: str, tally: OriginTally) -> None:
    for kind, counts in sorted(tally.by_kind.items()):
        sys.stdout.write(f"  {name}, {kind}: recall {counts.recall:.2f}, precision {counts.precision:.2f}; {counts}\n")
    sys.stdout.flush()


def _own_lines(name: str, tally: OriginTally) -> list[Line]:
    total, paraphrases = tally.total, tally.by_kind["paraphrase"]
    return [
        Line(f"{name}: recall of faults", str(total), total.recall, OWN_RECALL),
        Line(f"{name}: precision of changed and unsupported", "", total.precision, PRECISION),
        Line(f"{name}: paraphrases flagged", "", paraphrases.share_flagged, MOST_FLAGGED, at_most=True),
    ]


def _given_lines(name: str, tally: OriginTally) -> list[Line]:
    total = tally.total
    return [
        Line(f"{name}: recall of faults", str(total), total.recall, RECALL.get(name, RECALL_OF_OTHERS)),
        Line(f"{name}: faithful ones flagged", "", total.share_flagged, MOST_FLAGGED, at_most=True),
    ]


def _speed() -> Line:
    """Every passage is an article of its own; every second sentence is shortened, so that it must be looked for."""
    texts = list(dict.fromkeys(pair.source for _, pairs in _own_origins() for pair in pairs))
    passages = {f"p{number}": text for number, text in enumerate(texts[:: len(texts) // PASSAGES][:PASSAGES])}
    sentences = [(name, each.text) for name, text in passages.items() for each in split_sentences(text)]
    claims = [
        CitedClaim(text if number % 2 else text[len(text) // 4 :], (name,))
        for number, (name, text) in enumerate(sentences)
    ][:SENTENCES]
    check([CitedClaim("Nothing was decided.", ("p",))], {"p": "何も決まらなかった。没有决定。"})
    start = time.process_time()
    check(claims, passages)
    seconds = time.process_time() - start
    figures = f"{len(claims)} sentences against {len(passages)} passages in four languages"
    return Line("a check: seconds of processor time", figures, seconds, SECONDS_AT_MOST, at_most=True)
