"""Addresses of objects: ours are clean, and every form in which another program may write one leads to its object."""

import pytest

from almanac.desks.recap.store.addresses import find_key, object_url
from almanac.read_ports import ReadSettings

ENDPOINT = "https://account.r2.example:8443"
KEY = "recap/articles/A1/asset.json"
STORE = ReadSettings(objects_url=f"s3://assets/almanac?endpoint={ENDPOINT}&region=auto")
OTHER_ORDER = ReadSettings(objects_url=f"s3://assets/almanac?region=auto&endpoint={ENDPOINT}")
AMAZON = ReadSettings(objects_url="s3://assets/almanac?region=eu-west-1")
SIGNED = ("X-Amz-Signature=abc&X-Amz-Expires=60", "X-Amz-Expires=60&X-Amz-Signature=abc")


@pytest.mark.parametrize("store", [STORE, OTHER_ORDER, AMAZON, ReadSettings(objects_url="s3://assets/almanac/")])
def test_our_own_addresses_have_no_endpoint(store):
    assert object_url(store, KEY) == f"s3://assets/almanac/{KEY}"
    assert find_key(store, object_url(store, KEY)) == KEY


def test_without_a_prefix_or_a_bucket_an_address_is_short():
    assert object_url(ReadSettings(objects_url="s3://assets"), KEY) == f"s3://assets/{KEY}"
    assert object_url(ReadSettings(), KEY) == KEY
    assert object_url(ReadSettings(objects_url="file:///srv/objects"), KEY) == KEY


@pytest.mark.parametrize("query", ["", *(f"?{signed}" for signed in SIGNED)])
@pytest.mark.parametrize(
    "address",
    [
        "s3://assets/almanac/theirs/a.json",
        f"{ENDPOINT}/assets/almanac/theirs/a.json",
        "https://assets.account.r2.example:8443/almanac/theirs/a.json",
        f"{ENDPOINT.upper().replace('HTTPS', 'https')}/assets/almanac/theirs/a.json",
    ],
)
def test_every_form_of_the_configured_store_leads_to_the_object(address, query):
    assert find_key(STORE, address + query) == "theirs/a.json"
    assert find_key(OTHER_ORDER, address + query) == "theirs/a.json"


@pytest.mark.parametrize(
    "address",
    [
        "https://assets.s3.eu-west-1.amazonaws.com/almanac/x%20y.json",
        "https://assets.s3.amazonaws.com/almanac/x%20y.json?versionId=3",
        "https://s3.eu-west-1.amazonaws.com/assets/almanac/x%20y.json",
        "https://s3-eu-west-1.amazonaws.com/assets/almanac/x%20y.json",
    ],
)
def test_amazon_needs_no_endpoint(address):
    assert find_key(AMAZON, address) == "x y.json"


@pytest.mark.parametrize("store", [STORE, OTHER_ORDER])
@pytest.mark.parametrize("options", [f"endpoint={ENDPOINT}&region=auto", f"region=auto&endpoint={ENDPOINT}"])
def test_what_earlier_versions_wrote_is_still_read(store, options):
    assert find_key(store, f"s3://assets/almanac?{options}/{KEY}") == KEY


@pytest.mark.parametrize(
    "address",
    [
        "s3://other/almanac/a.json",
        "s3://assets/elsewhere/a.json",
        "https://account.r2.example:8443/other/almanac/a.json",
        "https://assets.elsewhere.example/almanac/a.json",
        "https://r2.example/asset.json",
        f"s3://other/almanac?endpoint={ENDPOINT}/{KEY}",
        "https://[bad/a.json",
        "ftp://assets/almanac/a.json",
    ],
)
def test_what_is_elsewhere_has_no_key_here(address):
    assert find_key(STORE, address) is None
