"""Which source of records the settings name."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from almanac.desks.recap.sources.folder import RecordFolder
from almanac.desks.recap.sources.national_diet import NationalDiet
from almanac.desks.recap.sources.pacing import Pace
from almanac.desks.recap.sources.port import MeetingSource
from almanac.services import Services


def source_of(services: Services) -> MeetingSource:
    """A folder where the setting names one, otherwise the National Diet's interface at the address given."""
    settings = services.settings
    address = urlsplit(settings.recap_source)
    if address.scheme == "file":
        return RecordFolder(Path(url2pathname(address.path)))
    return NationalDiet(services.fetcher, settings.recap_source, Pace(services.clock, settings.recap_pause_seconds))
