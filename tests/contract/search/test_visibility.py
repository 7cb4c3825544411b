"""People find what is theirs, what they have the permission for, and what is everybody's; nothing else leaks."""

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.permissions import DESKS, DeskRights, Role
from almanac.search import SearchViewer
from almanac.search.model import OWNED_KINDS


def principal(role: Role = Role.MEMBER, user_id: str = "ada", **more: object) -> Principal:
    return Principal(user_id=user_id, name="Ada", email="ada@example.org", role=role, via="session", **more)


@pytest.fixture
async def filled(bench):
    await bench.add("everybody's", "secret")
    await bench.add("ada's", "secret", owner="ada", facets={"tag": ("private",)})
    await bench.add("ben's", "secret", owner="ben")
    await bench.add("readers'", "secret", permission="desk.news.read")
    await bench.add("administrators'", "secret", permission="users.manage")
    await bench.add("ben's and readers'", "secret", owner="ben", permission="desk.news.read")
    return bench


async def test_a_member_finds_what_is_theirs_and_what_members_may_read(filled):
    mine = {"everybody's", "ada's", "readers'", "ben's and readers'"}
    assert await filled.found("secret", viewer=SearchViewer.for_principal(principal())) == mine
    assert await filled.found(viewer=SearchViewer.for_principal(principal())) == mine


async def test_an_administrator_gets_no_right_to_what_has_an_owner_alone(filled):
    seen = await filled.found("secret", viewer=SearchViewer.for_principal(principal(Role.ADMIN, "eve")))
    assert seen == {"everybody's", "readers'", "administrators'", "ben's and readers'"}


async def test_a_narrow_token_finds_only_what_its_scope_lets_through(filled):
    narrow = SearchViewer.for_principal(principal(scopes=frozenset({"news:read"})))
    assert await filled.found("secret", viewer=narrow) == {"everybody's", "ada's", "readers'", "ben's and readers'"}
    nothing = SearchViewer.for_principal(principal(scopes=frozenset({"write"})))
    assert await filled.found("secret", viewer=nothing) == {"everybody's", "ada's"}


@pytest.mark.parametrize(("kind", "desk"), OWNED_KINDS.items())
async def test_what_one_owns_at_a_desk_is_found_only_with_the_right_to_read_there(bench, kind, desk):
    await bench.add("ada's own", "secret", owner="ada", kind=kind)
    reader = SearchViewer.for_principal(principal(scopes=frozenset({f"{desk}:read"})))
    assert await bench.found("secret", viewer=reader) == {"ada's own"}
    assert await bench.found(viewer=reader) == {"ada's own"}
    shut_out = principal(rights=DeskRights(replaced=frozenset({desk})))
    switched_off = principal(desks=frozenset(DESKS) - {desk})
    for nobody in (shut_out, switched_off):
        viewer = SearchViewer.for_principal(nobody)
        assert await bench.found("secret", viewer=viewer) == set()
        assert await bench.found(viewer=viewer) == set()


async def test_counts_and_facets_leak_nothing(filled):
    results = await filled.find(
        "secret", viewer=SearchViewer.for_principal(principal(user_id="ben")), facets=["tag", "kind"]
    )
    assert results.total == 4
    assert list(results.facets["tag"]) == []
    assert [(facet.value, facet.count) for facet in results.facets["kind"]] == [("news.article", 4)]


async def test_somebody_unknown_sees_only_what_is_everybodys(filled):
    assert await filled.found("secret", viewer=SearchViewer()) == {"everybody's"}
