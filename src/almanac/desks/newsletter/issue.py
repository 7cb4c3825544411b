"""A newsletter as a publication: the front matter, the written sections and the chunks they cite."""

import datetime as dt

from almanac.desks.newsletter.model.configuration import AUDIENCES
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.wording import readable
from almanac.desks.newsletter.publication import DraftSection, FrontMatter, Publication, Source, publication_of
from almanac.kit.text import one_line, shorten
from almanac.language import detect

LONGEST_PREHEADER = 110
_HEADING_SIGNS = "#*_> "


def issue_of(full: FullNewsletter, today: dt.date) -> Publication:
    """What every export is written from; a reference that leads nowhere is refused."""
    sections = [
        DraftSection(id=section.id, name=section.name, text=section.text)
        for section in full.draft.draft.sections
        if section.text.strip()
    ]
    return publication_of(_front(full, today), sections, _sources(full))


def _front(full: FullNewsletter, today: dt.date) -> FrontMatter:
    configuration = full.newsletter.configuration
    done = full.newsletter.completed_at
    text = " ".join(readable(section.text) for section in full.draft.draft.sections)
    return FrontMatter(
        title=configuration.title,
        code=full.code,
        date=done.date() if done else today,
        language=detect(text) if text.strip() else "en",
        audience=", ".join(AUDIENCES.get(name, name).lower() for name in configuration.target_audience),
        preheader=preheader(full),
    )


def preheader(full: FullNewsletter) -> str:
    """What a mail program shows beside the subject: the configured description, or how the text begins."""
    described = full.newsletter.configuration.description
    if described:
        return shorten(described, LONGEST_PREHEADER)
    for section in full.draft.draft.sections:
        for line in section.text.splitlines():
            if line.strip() and not line.startswith("#"):
                return shorten(one_line(readable(line)).strip(_HEADING_SIGNS), LONGEST_PREHEADER)
    return ""


def _sources(full: FullNewsletter) -> dict[str, Source]:
    return {
        chunk.id: Source(title=chunk.title or chunk.source, source=chunk.source, url=chunk.url or None, date=chunk.date)
        for chunk in full.topics.chunks
    }
