"""What a proof found: claims in plain sentences, each with a figure and whether it holds."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is promised, what was measured, and whether the two agree."""

    sentence: str
    figure: str
    holds: bool
    detail: str = ""


@dataclass(slots=True)
class Report:
    """Everything that one proof has to say, in the order in which it is to be read."""

    title: str
    claims: list[Claim] = field(default_factory=list)

    def claim(self, sentence: str, figure: object, *, holds: bool = True, detail: str = "") -> None:
        """Add a claim; a figure that promises nothing always holds."""
        self.claims.append(Claim(sentence, str(figure), holds, detail))

    @property
    def holds(self) -> bool:
        """Whether nothing that was promised was found broken."""
        return all(claim.holds for claim in self.claims)

    def as_text(self) -> str:
        """For a terminal: one line a claim, and under a broken one what was found."""
        width = max((len(claim.figure) for claim in self.claims), default=0)
        lines = [self.title]
        for claim in self.claims:
            lines.append(f"  {'ok  ' if claim.holds else 'FAIL'} {claim.figure:>{width}}  {claim.sentence}")
            if not claim.holds:
                lines.extend(f"         {line}" for line in claim.detail.splitlines())
        return "\n".join(lines)

    def as_markdown(self) -> str:
        """For a page: a table under its title."""
        rows = [f"| {claim.sentence} | {claim.figure}{'' if claim.holds else ' **broken**'} |" for claim in self.claims]
        return "\n".join([f"### {self.title}", "", "| claim | found |", "|---|---|", *rows])
