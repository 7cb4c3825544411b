"""The list of parliaments; a record that names one we don't have is read as the Diet's."""

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.parliaments.bundestag import BUNDESTAG
from almanac.desks.recap.model.parliaments.diet import NATIONAL_DIET
from almanac.desks.recap.model.parliaments.parliament import Parliament
from almanac.desks.recap.model.parliaments.uk import UNITED_KINGDOM

PARLIAMENTS: tuple[Parliament, ...] = (NATIONAL_DIET, UNITED_KINGDOM, BUNDESTAG)
"""In this order readers see them. A new parliament is one more entry."""
_BY_ID = {parliament.id: parliament for parliament in PARLIAMENTS}


def parliament_of(meeting: Meeting) -> Parliament:
    """The parliament whose record it is."""
    return _BY_ID.get(meeting.parliament_id, NATIONAL_DIET)
