"""Time zones are found by their city in every interface language, and a wrong one by what is nearest."""

import pytest

from almanac.kit.time_zones import describe_unknown_zone, label_zone, list_zones, resolve_zone


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Tokyo", "Asia/Tokyo"),
        ("tokyo, japan", "Asia/Tokyo"),
        ("東京", "Asia/Tokyo"),
        ("Tokio", "Asia/Tokyo"),
        (" Berlin ", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("America/New_York", "America/New_York"),
        ("asia/kuala_lumpur", "Asia/Kuala_Lumpur"),
        ("UTC", "UTC"),
        ("", ""),
        ("Mars/Olympus", "Mars/Olympus"),
    ],
)
def test_a_zone_is_known_by_its_city_or_its_name(typed, zone):
    assert resolve_zone(typed) == zone


@pytest.mark.parametrize("language", ["en", "ja", "de", "zh", "ms"])
def test_every_label_leads_back_to_its_zone_or_to_one_with_the_same_label(language):
    zones = list_zones(language)
    # Some labels, such as Jamaica, are old names of the same zone.
    wrong = {zone: label for zone, label in zones.items() if zones.get(resolve_zone(label), label) != label}
    assert wrong == {}
    assert len(zones) > 400


def test_a_label_is_in_the_reader_s_language():
    assert label_zone("Asia/Tokyo", "en") == "Tokyo, Japan"
    assert label_zone("Asia/Tokyo", "de") == "Tokio, Japan"
    assert label_zone("Etc/GMT+3", "en") == "Etc/GMT+3"


def test_a_wrong_text_is_answered_with_the_nearest_city():
    assert describe_unknown_zone("Berlni") == "There is no time zone “Berlni”; did you mean Berlin, Germany?"
    assert describe_unknown_zone("Xyzzy-9") == "There is no time zone “Xyzzy-9”; type a city, such as Nairobi."
