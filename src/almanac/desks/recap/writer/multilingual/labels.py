"""Names of speakers and their side in an article, from the record's data and the phrasebook."""

from almanac.desks.recap.model.facts.debate import DebateCourse
from almanac.desks.recap.model.meeting import Speech
from almanac.desks.recap.model.parliaments.parliament import Language
from almanac.desks.recap.model.parliaments.record_reader import plain_name
from almanac.desks.recap.writer.multilingual.phrasebook import phrases_for


def speaker_title(speech: Speech, language: Language) -> str:
    """The speaker with office or group; empty for a note of the record."""
    phrases, name = phrases_for(language), plain_name(speech.speaker)
    group = speech.position or speech.group
    if not name:
        return ""
    return phrases.speaker_group.format(name=name, group=group) if group else phrases.speaker.format(name=name)


def side_label(speech: Speech, course: DebateCourse, language: Language, item: str = "") -> str:
    """Which side a speech takes, such as “Ada Marsh (Green) spoke against.”; empty if it takes none."""
    phrases = phrases_for(language)
    phrase = (phrases.stances_on if item else phrases.stances).get(course.reactions[speech.order], "")
    return phrase.format(who=speaker_title(speech, language), item=item)
