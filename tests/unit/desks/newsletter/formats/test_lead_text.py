"""The lead below an issue's title isn't repeated by the text."""

import pytest

from almanac.desks.newsletter.formats.html import render_issue_mail
from almanac.desks.newsletter.formats.labels import lead_text
from almanac.desks.newsletter.formats.plain_text import render_text


def test_a_description_stands_below_the_title(issue):
    assert lead_text(issue("Rain came early.", preheader="Goats are dearer")) == "Goats are dearer"


@pytest.mark.parametrize("preheader", ["Rain came early to", "Rain came *early* to…", "rain came early to the"])
def test_the_opening_words_are_not_said_twice(issue, preheader):
    publication = issue("Rain came **early** to the highlands. [@outlook] Prices followed.", preheader=preheader)
    assert lead_text(publication) == ""
    assert render_text(publication).lower().count("rain came early") == 1
    assert render_issue_mail(publication).preheader == preheader
