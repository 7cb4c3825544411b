"""What an editor notes on an item of the outline decides which sentences of its sources are taken."""

from almanac.llm.extractive.outlines import PlannedItem, extract_draft
from almanac.llm.sources import StepSource

TRIAL = StepSource(
    id="trial",
    title="Sorghum yields more in a three-year trial",
    text=(
        "A sorghum variety yielded 31 percent more than local seed over three years of trials on 412 farms. "
        "The variety gave 1.72 tonnes of grain per hectare on average in all districts of the trial. "
        "Women managed 58 percent of the trial plots and rated the flour as equal to that of local seed. "
        "Seed for 6,000 hectares of the variety will be multiplied by the centre next season."
    ),
)


def written(notes: str) -> str:
    item = PlannedItem(title="Sorghum yields more in a trial", notes=notes, sources=("trial",))
    return " ".join(sentence.text for sentence in extract_draft([TRIAL], [item], words=40)[0])


def test_a_note_brings_in_what_it_names():
    assert "Women managed" not in written("")
    assert "Women managed" in written("Say what women thought of the flour on their plots")
