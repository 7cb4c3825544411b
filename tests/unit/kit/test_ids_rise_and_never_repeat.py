"""Ids sort in the order they were made, across threads too, and are valid version 7 UUIDs."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from almanac.kit.ids import new_id, same_secret, secret_token, token_hash


def test_ids_made_in_sequence_sort_in_sequence():
    made = [new_id() for _ in range(5000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_from_many_threads_never_repeat():
    with ThreadPoolExecutor(8) as threads:
        made = [
            made_id for batch in threads.map(lambda _: [new_id() for _ in range(500)], range(8)) for made_id in batch
        ]
    assert len(set(made)) == 4000


def test_an_id_is_a_uuid_of_version_seven():
    assert UUID(new_id()).version == 7


def test_a_token_carries_its_prefix_and_is_stored_as_a_hash():
    token = secret_token("alm_")
    assert token.startswith("alm_")
    assert len(token) > 40
    assert token_hash(token) == token_hash(token) != token
    assert secret_token() != secret_token()


def test_secrets_compare_by_value_whatever_their_length():
    assert same_secret("päss", "päss")
    assert not same_secret("a", "ab")
