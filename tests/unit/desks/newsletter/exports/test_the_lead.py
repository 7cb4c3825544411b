"""The words below an issue's title, which are not said twice."""

import pytest

from almanac.desks.newsletter.exports import mail_of
from almanac.desks.newsletter.exports.facts import lead_of
from almanac.desks.newsletter.exports.text import text_of


def test_a_description_stands_below_the_title(issue):
    assert lead_of(issue("Rain came early.", preheader="Goats are dearer")) == "Goats are dearer"


@pytest.mark.parametrize("preheader", ["Rain came early to", "Rain came *early* to…", "rain came early to the"])
def test_the_opening_words_are_not_said_twice(issue, preheader):
    publication = issue("Rain came **early** to the highlands. [@outlook] Prices followed.", preheader=preheader)
    assert lead_of(publication) == ""
    assert text_of(publication).lower().count("rain came early") == 1
    assert mail_of(publication).preheader == preheader
