from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.errors import SettingError
from almanac.fetch import AddressRefused
from almanac.fetch.guard import FetchGuard
from almanac.fetch.hosts import describe_blocked_range, parse_ip

GUARD = FetchGuard()

CLOSED = """
0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.100.100.200
169.254.169.254 169.254.0.1 168.63.129.16 192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 192.88.99.1
224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
:: ::1 fe80::1 fec0::1 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 2001::1 2001:10::1 2002:7f00:1:: 3fff::1 5f00::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1
100::1 4000::1
""".split()
OPEN = """
1.1.1.1 8.8.8.8 93.184.215.14 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 169.253.255.255 192.0.1.1
223.255.255.255 2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::808:808
""".split()

SPELLINGS = """
http://127.1/ http://127.0.1/ http://2130706433/ http://0x7f000001/ http://0x7f.0x0.0x0.0x1/ http://0177.0.0.1/
http://017700000001/ http://127.0.0.1./ http://１２７.０.０.１/ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/
http://[::ffff:7f00:1]/ http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[::]/ http://0/ http://0x0/ http://[64:ff9b::10.0.0.1]/
http://169.254.169.254/latest/meta-data/ http://2852039166/ http://0xa9fea9fe/ http://0251.0376.0251.0376/
""".split()

REFUSED = """
ftp://example.org/ file:///etc/passwd gopher://example.org/ javascript:alert(1) data:text/plain,x //example.org/
example.org http:// http:///path http://user@example.org/ http://user:word@example.org/ http://:@example.org/ http://@/
http://example.org:0/ http://example.org:22/ http://example.org:99999/ http://example.org:x/
http://exa%6dple.org/ http://127%2e0%2e0%2e1/ http://[fe80::1%25eth0]/ http://[::1 http://[v1.x]/ http://ex!ample.org/
http://example.org\\@evil.example/ http://example.org%00.evil.example/ http://exam\tple.org/ http://.example.org/ http://..
""".split("\n")


def refusal_of(url):
    """The sentence of the refusal, as if the host had a public address; nothing when it passes."""
    try:
        checked = GUARD.check_url(url)
        GUARD.check_addresses(checked.host, checked.port, [ip_address("8.8.8.8")])
    except AddressRefused as refused:
        return refused.sentence
    return ""


@pytest.mark.parametrize("address", CLOSED)
def test_addresses_that_are_not_on_the_open_web_are_closed(address):
    assert describe_blocked_range(ip_address(address))


@pytest.mark.parametrize("address", OPEN)
def test_addresses_on_the_open_web_are_open(address):
    assert describe_blocked_range(ip_address(address)) is None


@pytest.mark.parametrize("url", SPELLINGS)
def test_a_private_address_is_recognised_however_it_is_spelled(url):
    with pytest.raises(AddressRefused, match="leads to"):
        GUARD.check_url(url)


@pytest.mark.parametrize("url", [url for line in REFUSED for url in line.split(" ") if url])
def test_what_is_no_plain_web_address_is_refused_with_a_sentence(url):
    assert refusal_of(url)


def test_a_public_address_passes_and_loses_its_fragment():
    assert str(GUARD.check_url("https://Example.org/a?b=c#d")) == "https://example.org/a?b=c"


def test_a_name_in_another_script_is_looked_up_in_its_ascii_form():
    assert GUARD.check_url("https://bücher.example/").raw_host == "xn--bcher-kva.example"


def test_one_closed_address_among_many_is_enough_to_refuse_a_host():
    with pytest.raises(AddressRefused, match="a private network"):
        GUARD.check_addresses("two-faced.example", 443, [ip_address("8.8.8.8"), ip_address("10.0.0.8")])


def test_other_ports_are_refused_until_they_are_set():
    with pytest.raises(AddressRefused, match="Port 8080"):
        GUARD.check_addresses("example.org", 8080, [ip_address("8.8.8.8")])
    FetchGuard.from_settings("", "80, 443, 8080").check_addresses("example.org", 8080, [ip_address("8.8.8.8")])


def test_an_allowed_network_opens_only_itself():
    guard = FetchGuard.from_settings("127.0.0.0/8, 10.1.0.0/16", "80,443")
    guard.check_url("http://127.0.0.1:5000/")
    guard.check_url("http://[::ffff:127.0.0.1]:5000/")
    for url in ("http://10.2.0.1/", "http://169.254.169.254/", "http://[::1]/"):
        with pytest.raises(AddressRefused):
            guard.check_url(url)


def test_an_allowed_host_may_have_private_addresses_and_no_other_host_may():
    guard = FetchGuard.from_settings("intranet.example", "80,443")
    guard.check_addresses("intranet.example", 8080, [ip_address("10.0.0.1")])
    with pytest.raises(AddressRefused):
        guard.check_addresses("other.example", 80, [ip_address("10.0.0.1")])


@pytest.mark.parametrize(
    ("allow", "ports"), [("not a host", "80"), ("10.0.0.0/99", "80"), ("", "http"), ("", "0"), ("", "")]
)
def test_a_wrong_setting_is_one_sentence(allow, ports):
    with pytest.raises(SettingError, match="ALMANAC_FETCH_"):
        FetchGuard.from_settings(allow, ports)


def test_an_absurdly_long_address_is_refused():
    with pytest.raises(AddressRefused, match="2,000 characters"):
        GUARD.check_url("http://example.org/" + "a" * 2000)


@given(st.text(max_size=60))
def test_no_text_breaks_the_guard(text):
    for url in (text, f"http://{text}", f"http://example.org/{text}"):
        assert refusal_of(url)[-1:] in {"", "."}


@given(st.ip_addresses())
def test_every_address_written_in_a_url_is_judged_as_the_address_it_is(address):
    host = f"[{address}]" if address.version == 6 else str(address)
    try:
        GUARD.check_url(f"http://{host}/")
    except AddressRefused:
        assert describe_blocked_range(address)
    else:
        assert describe_blocked_range(address) is None


def test_a_name_is_no_address():
    assert parse_ip("example.org") is None
