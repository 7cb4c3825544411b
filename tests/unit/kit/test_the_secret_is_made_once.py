"""The installation's secret is made once, privately, however many processes start at the same time."""

from concurrent.futures import ThreadPoolExecutor

from almanac.kit.signatures import derive_key, load_secret


def test_processes_starting_together_agree_on_one_secret(tmp_path):
    with ThreadPoolExecutor(8) as starters:
        secrets = set(starters.map(lambda _: load_secret(tmp_path / "secret.key"), range(32)))
    assert len(secrets) == 1
    assert len(secrets.pop()) == 64


def test_only_the_owner_can_read_it(tmp_path):
    load_secret(tmp_path / "secret.key")
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["secret.key"]


def test_each_purpose_has_its_own_key():
    assert derive_key(b"s", "cursors") != derive_key(b"s", "csrf")
    assert derive_key(b"s", "cursors") == derive_key(b"s", "cursors") != derive_key(b"t", "cursors")
