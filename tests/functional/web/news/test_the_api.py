"""The desk through its API: what it takes, what it gives, and what it refuses with a sentence."""

import pytest

PATH = "/api/v1/news"
FEED = {"kind": "feed", "address": "https://example.org/feed.xml", "title": "Example"}


@pytest.fixture
async def task(api):
    wish = {
        "task_name": "Solar in ASEAN",
        "prompt_template": "solar {month}",
        "schedule": "daily",
        "time_zone": "Asia/Kuala_Lumpur",
        "sources": [FEED],
    }
    answer = await api.post(f"{PATH}/tasks", json=wish)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_task_is_made_changed_run_and_removed(api, task):
    assert task["next_run"] == "2026-03-02T22:00:00Z"
    listed = (await api.get(f"{PATH}/tasks")).json()["items"]
    assert [task["task_name"] for task in listed] == ["Solar in ASEAN"]
    place = f"{PATH}/tasks/Solar in ASEAN"
    changed = await api.patch(place, json={"schedule": "0 * * * *", "is_active": False}, headers={"If-Match": '"1"'})
    assert (changed.json()["schedule"], changed.json()["next_run"], changed.headers["etag"]) == (
        "0 * * * *",
        None,
        '"2"',
    )
    stale = await api.patch(place, json={"is_active": True}, headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    assert (await api.patch(place, json={"is_active": True})).status_code == 428
    started = await api.post(f"{place}/run")
    assert (started.status_code, started.json()["job_id"] > 0) == (202, True)
    assert (await api.get(f"{place}/runs")).json()["items"] == []
    assert (await api.get(f"{place}/scorecard")).json()["cost_per_article"] is None
    assert (await api.delete(place)).status_code == 204
    assert (await api.get(place)).status_code == 404


async def test_wrong_fields_are_told_by_name(api, task):
    wrong = await api.post(f"{PATH}/tasks", json={"task_name": "", "prompt_template": "x", "schedule": "often"})
    assert wrong.status_code == 422
    assert set(wrong.json()["fields"]) == {"task_name", "schedule"}
    taken = await api.post(f"{PATH}/tasks", json={"task_name": "Solar in ASEAN", "prompt_template": "x"})
    assert (taken.status_code, "another name" in taken.json()["detail"]) == (409, True)


async def test_links_are_added_listed_and_their_fate_is_told(api, task):
    added = await api.post(
        f"{PATH}/links",
        json={
            "urls": ["http://example.org/a?utm_source=x", "https://www.example.org/a", "no address at all"],
            "source_task": "Solar in ASEAN",
        },
    )
    assert (added.status_code, added.json()) == (
        202,
        {"found": 3, "added": 1, "duplicate": 1, "blocked": 0, "refused": 1},
    )
    (link,) = (await api.get(f"{PATH}/links", params={"status": "pending"})).json()["items"]
    assert (link["canonical_url"], link["source_task"]) == ("https://example.org/a", "Solar in ASEAN")
    fate = (await api.get(f"{PATH}/fate", params={"url": "https://m.example.org/a/"})).json()
    assert (fate["status"], fate["link"]["id"], fate["found_by"]) == ("pending", link["id"], ["Solar in ASEAN"])
    assert (await api.get(f"{PATH}/fate", params={"url": "mailto:x@y.z"})).status_code == 400
    assert (await api.post(f"{PATH}/links/{link['id']}/retry")).status_code == 409
    assert (await api.get(f"{PATH}/stats")).json()["pending"] == 1
    assert (await api.get(f"{PATH}/links/999999999999")).status_code == 404


async def test_the_blacklist_is_kept_by_hand_too(api):
    await api.post(f"{PATH}/links", json={"urls": ["https://example.org/a"]})
    assert (await api.post(f"{PATH}/blacklist", json={"domain": "example.org", "days": 2})).status_code == 201
    (entry,) = (await api.get(f"{PATH}/blacklist")).json()["items"]
    assert (entry["domain"], entry["cause"], entry["expires_at"]) == ("example.org", "by hand", "2026-03-04T09:00:00Z")
    assert (await api.get(f"{PATH}/stats")).json()["blocked"] == 1
    assert (await api.delete(f"{PATH}/blacklist", params={"domain": "example.org"})).json() == {"freed": 1}
    assert (await api.delete(f"{PATH}/blacklist/example.org")).status_code == 404


async def test_lists_of_feeds_come_and_go_as_opml(api, task):
    exported = await api.get(f"{PATH}/opml")
    assert b"https://example.org/feed.xml" in exported.content
    opml = b'<opml version="2.0"><body><outline text="F" xmlUrl="https://f.example/rss"/></body></opml>'
    assert (await api.post(f"{PATH}/opml", content=opml)).json() == {"feeds": 1, "task_name": "Imported feeds"}
    assert (await api.post(f"{PATH}/opml", content=b"nothing")).status_code == 400


async def test_a_list_of_feeds_is_added_to_what_a_task_has_as_far_as_it_may_have(api, task):
    async def bring(feeds):
        outlines = "".join(f'<outline text="F" xmlUrl="https://f.example/{n}"/>' for n in range(feeds))
        content = f'<opml version="2.0"><body>{outlines}</body></opml>'.encode()
        return await api.post(f"{PATH}/opml", params={"task": "Solar in ASEAN"}, content=content)

    assert (await bring(2)).json() == {"feeds": 2, "task_name": "Solar in ASEAN"}
    assert (await bring(3)).status_code == 200
    addresses = [source["address"] for source in (await api.get(f"{PATH}/tasks/Solar in ASEAN")).json()["sources"]]
    assert sorted(addresses) == [FEED["address"], *(f"https://f.example/{n}" for n in range(3))]
    refused = await bring(600)
    assert (refused.status_code, "500 sources at most" in refused.json()["fields"]["sources"]) == (422, True)


@pytest.mark.parametrize(("form", "media"), [("rss", "rss+xml"), ("atom", "atom+xml"), ("json", "feed+json")])
async def test_stories_are_feeds(api, form, media):
    answer = await api.get(f"{PATH}/feeds/{form}", params={"q": "solar"})
    assert answer.headers["content-type"].startswith(f"application/{media}")
    again = await api.get(
        f"{PATH}/feeds/{form}", params={"q": "solar"}, headers={"If-None-Match": answer.headers["etag"]}
    )
    assert again.status_code == 304


async def test_stories_are_narrowed_and_paged(api, demo):
    async def found(**params):
        answer = await api.get(f"{PATH}/articles", params={"limit": 100, **params})
        return {story["id"]: story for story in answer.json()["items"]}

    everything = await found()
    for name, of in (("tag", "tags"), ("country", "country"), ("lang", "language"), ("source", "sources")):
        value = {"tag": "Solar", "country": "MY", "lang": "zh", "source": "selatpost.example"}[name]
        narrowed = await found(**{name: value})
        assert 0 < len(narrowed) < len(everything), name
        assert all(value in str(story[of]) for story in narrowed.values()), name
    days = sorted(story["news_date"] for story in everything.values() if story["news_date"])
    between = await found(**{"from": days[5], "to": days[9]})
    assert {story["news_date"] for story in between.values()} == set(days[5:10])
    assert set(await found(q="floating solar")) <= set(everything)

    paged, cursor = [], None
    while cursor or not paged:
        page = (await api.get(f"{PATH}/articles", params={"limit": 7, **({"cursor": cursor} if cursor else {})})).json()
        paged += [story["id"] for story in page["items"]]
        cursor = page["next_cursor"]
    assert (len(paged), set(paged)) == (len(everything), set(everything))


async def test_what_is_there_to_choose_from_is_listed(api):
    assert len((await api.get(f"{PATH}/templates")).json()) == 8
    assert (await api.get(f"{PATH}/tags")).json()["Solar"] == 0
    assert (await api.get(f"{PATH}/articles", params={"tag": "Solar", "from": "2026-01-01"})).json()["items"] == []
    assert (await api.get(f"{PATH}/articles/1")).status_code == 404
    assert (await api.get(f"{PATH}/domains")).json()["items"] == []


async def test_the_location_of_a_task_is_a_valid_header_whatever_its_name(api):
    name = "sun\x0b & 太陽/2"
    answer = await api.post(f"{PATH}/tasks", json={"task_name": name, "prompt_template": "sun", "sources": []})
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{PATH}/tasks/sun%0B%20%26%20%E5%A4%AA%E9%99%BD%2F2"
