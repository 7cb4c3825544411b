"""Errors at a desk that speaks Japanese are told in Japanese to whoever reads it so."""

import pytest

from almanac.accounts.permissions import Role


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/recap/articles/none", 404, "ページが見つかりません"),
        ("/recap/tasks", 403, "この操作はできません"),
        ("/recap/articles?from=soon", 422, "日付は 2026-01-31 の形で"),
        ("/recap/articles?order=sideways", 422, "並び順は"),
        ('/recap/articles?q="open', 422, "この条件では探せません"),
    ],
)
async def test_a_japanese_reader_reads_what_is_wrong(signed_in, path, status, says):
    visitor = await signed_in(Role.MEMBER)
    separator = "&" if "?" in path else "?"
    answer = await visitor.get(f"{path}{separator}lang=ja")
    assert (answer.status_code, says in answer.text) == (status, True)
    assert '<html lang="ja"' in answer.text


async def test_for_others_it_is_english(signed_in):
    visitor = await signed_in(Role.MEMBER)
    assert "Page not found" in (await visitor.get("/recap/articles/none?lang=en")).text
    assert "Write a day as" in (await visitor.get("/recap/articles?from=soon&lang=en")).text
