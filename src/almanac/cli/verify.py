"""`almanac verify`: checks a draft against its sources, or many pairs of a sentence and its source."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from almanac.errors import InputError
from almanac.kit.text import counted
from almanac.terminal import AsJson, print_json, print_line
from almanac.verify import CheckedClaim, CitedClaim, Verdict, VerificationReport, check, check_text
from almanac.verify.markers import OWN

_READABLE = {".txt", ".md", ".markdown", ".text"}


class SentencePair(msgspec.Struct, forbid_unknown_fields=False):
    """One line of a pairs file: a sentence with its source or sources."""

    text: str
    source: str | None = None
    sources: dict[str, str] | None = None
    references: list[str] | None = None
    label: str | None = None

    def lacking(self) -> str:
        """What the pair doesn't have, as its field is called; empty for a pair that can be checked."""
        if not self.text.strip():
            return "text"
        given = self.sources.values() if self.sources is not None else (self.source or "",)
        return "" if any(source.strip() for source in given) else "source"

    def checked(self) -> CheckedClaim:
        sources = self.sources if self.sources is not None else {"source": self.source or ""}
        named = tuple(sources) if self.references is None else tuple(self.references)
        return check([CitedClaim(self.text, named)], sources).sentences[0]


def verify(
    text: Annotated[
        Path | None,
        typer.Option("--text", help="The draft, with `[@id]` after each sentence, or `[@own]` after your own."),
    ] = None,
    source: Annotated[list[str] | None, typer.Option("--source", help="A source as `id=file`; repeatable.")] = None,
    sources: Annotated[
        Path | None,
        typer.Option("--sources", help="A folder of text files; each file name without extension is its id."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option("--pairs", help='JSON lines such as `{"text": "…", "source": "…"}`, each checked alone.'),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check each sentence of a text against the sources it cites. Exits with 1 unless all are supported.

    A sentence is unconfirmed if nothing contradicts it but words of it are in none of its sources: read it yourself.
    """
    if (text is None) == (pairs is None):
        raise InputError("Give either --text with its sources, or --pairs.")
    if pairs is not None:
        supported = _show_pairs(_read_pairs(pairs), as_json=as_json)
    else:
        assert text is not None
        report = check_text(_read(text), _sources(source or [], sources))
        if not report.sentences:
            raise InputError(f"{text} has no sentences; write the draft into it.")
        supported = _show_report(report, as_json=as_json)
    if not supported:
        raise typer.Exit(1)


def _sources(named: Sequence[str], folder: Path | None) -> dict[str, str]:
    texts = {}
    if folder is not None:
        if not folder.is_dir():
            raise InputError(f"{folder} isn't a folder; name a folder with the sources as text files.")
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() in _READABLE)
        texts = {path.stem: _read(path) for path in files}
    for option in named:
        name, equals, file = option.partition("=")
        if not equals or not name or not file:
            raise InputError(f"Use id=file for a source, not “{option}”.")
        texts[name] = _read(Path(file))
    if OWN in texts:
        raise InputError(f"“{OWN}” marks your own sentences; give the source another name.")
    if not texts:
        raise InputError("Name at least one source with --source id=file or --sources folder.")
    return texts


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} isn't UTF-8 text; save it as UTF-8.") from error
    except OSError as error:
        raise InputError(f"{path} can't be read ({error.strerror}); check the path.") from error


def _read_pairs(path: Path) -> list[SentencePair]:
    pairs = []
    # `splitlines` also splits at characters that JSON allows inside strings.
    for number, line in enumerate(_read(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            pair = msgspec.json.decode(line, type=SentencePair)
        except msgspec.DecodeError as error:
            raise InputError(
                f"Line {number} of {path} isn't a pair ({error}); it needs a text and a source."
            ) from error
        if lacking := pair.lacking():
            raise InputError(f"Line {number} of {path} has no {lacking}; a pair needs a text and a source.")
        pairs.append(pair)
    return pairs


def _show_report(report: VerificationReport, *, as_json: bool) -> bool:
    if as_json:
        print_json({"supported": report.supported, "counts": report.counts, "sentences": report.sentences})
        return report.supported
    for sentence in report.faults:
        _print_sentence(sentence)
    counts = report.counts
    print_line(
        f"{counted(sum(counts.values()), 'sentence')}: " + ", ".join(f"{counts[each]} {each.value}" for each in Verdict)
    )
    if free := sum(not sentence.needs_source for sentence in report.sentences):
        print_line(
            f"Only checked for contradictions: {counted(free, 'heading or own sentence', 'headings and own sentences')}"
        )
    return report.supported


def _show_pairs(pairs: Sequence[SentencePair], *, as_json: bool) -> bool:
    checked = [pair.checked() for pair in pairs]
    if as_json:
        print_json([{"label": pair.label, **_fields(each)} for pair, each in zip(pairs, checked, strict=True)])
    else:
        for each in checked:
            _print_sentence(each)
    return all(each.verdict is Verdict.SUPPORTED for each in checked)


def _fields(checked: CheckedClaim) -> dict[str, object]:
    return {
        "text": checked.text,
        "verdict": checked.verdict,
        "findings": checked.findings,
        "uncovered": checked.uncovered,
    }


def _print_sentence(sentence: CheckedClaim) -> None:
    print_line(f"{sentence.verdict.value}: {sentence.text}")
    for finding in sentence.findings:
        print_line(f"  {finding.reason}")
