"""How much of a model's answer a recap takes; the prompts ask for no more."""

from almanac.desks.recap.writer.notes import LevelNotes, MiddleNote, PackNotes
from almanac.llm.answer import DroppedSentence, LimitedAnswer
from almanac.llm.limits import limit_parts
from almanac.llm.sources import StepInput

MOST_POINTS, MOST_SENTENCES, MOST_KEYWORDS = 10, 12, 10


def limit_pack(_given: StepInput, answer: PackNotes) -> LimitedAnswer[PackNotes]:
    kept, beyond = answer.keywords[:MOST_KEYWORDS], answer.keywords[MOST_KEYWORDS:]
    reason = f"Only {MOST_KEYWORDS} keywords could be used."
    dropped = tuple(DroppedSentence(note.keyword, reason) for note in beyond)
    return LimitedAnswer(answer.model_copy(update={"keywords": kept}), dropped)


def limit_levels(_given: StepInput, answer: LevelNotes) -> LimitedAnswer[LevelNotes]:
    points, dropped = limit_parts(answer.key_points, MOST_POINTS, "point")
    summary, beyond = limit_parts(answer.summary, MOST_SENTENCES, "sentence")
    soft, beyond_soft = limit_parts(answer.soft_language_summary, MOST_SENTENCES, "sentence")
    dropped += beyond + beyond_soft
    parts = []
    for part in answer.middle_summary:
        sentences, beyond = limit_parts(part.sentences, MOST_SENTENCES, "sentence")
        parts.append(MiddleNote(title=part.title, sentences=sentences))
        dropped += beyond
    limited = answer.model_copy(
        update={
            "key_points": points,
            "summary": summary,
            "soft_language_summary": soft,
            "middle_summary": tuple(parts),
        }
    )
    return LimitedAnswer(limited, dropped)
