"""Step 2 in a job: what is found, what is chosen and why, and what a second retrieval keeps."""

import asyncio

PATH = "/api/v1/newsletters"


def titles(topics):
    return {chunk["title"]: chunk for chunk in topics["retrieved_content"]}


async def test_each_chunk_has_the_topic_it_fits_best(editor, retrieved):
    code = await retrieved("climate_smart", "livestock", "funding", "market_access")
    by_topic = titles(await editor.get(f"{code}/topics"))
    assert by_topic["Camel vaccination reaches 240,000 animals in Somali Region"]["topic"] == "Livestock"
    assert by_topic["Short rains fail across Marsabit and Wajir"]["topic"] == "Climate-Smart Agriculture"
    assert by_topic["Call for proposals on early warning opens"]["topic"] == "Funding Opportunities"
    assert by_topic["Maize prices rise 18 percent at Nairobi market"]["topic"] == "Market Access"


async def test_each_chunk_says_where_it_is_from_and_why_it_was_taken(editor, retrieved):
    code = await retrieved("livestock", geographic_focus="Somali Region")
    chunk = (await editor.get(f"{code}/topics"))["retrieved_content"][0]
    assert (chunk["source"], chunk["date"], chunk["included"]) == ("Horn of Africa Observer", "2026-02-25", True)
    assert 0 < chunk["score"] <= 1
    assert chunk["why"] == ("Livestock: matches livestock, cattle, camels, goats, mentions Somali and is 5 days old.")


async def test_nothing_older_than_the_window_is_taken(editor, retrieved):
    weekly = titles(await editor.get(f"{await retrieved('climate_smart')}/topics"))
    quarterly = titles(await editor.get(f"{await retrieved('climate_smart', frequency='quarterly')}/topics"))
    assert "Drought of last year was the worst in decades" not in {**weekly, **quarterly}
    assert "Short rains fail across Marsabit and Wajir" in weekly


async def test_the_coverage_report_adds_up(editor, retrieved):
    topics = await editor.get(f"{await retrieved()}/topics")
    coverage = topics["coverage"]
    assert (coverage["wanted"], coverage["days"]) == (25, 14)
    assert coverage["found"] == coverage["taken"] + len(coverage["dropped"])
    assert (
        coverage["taken"] == topics["total_chunks_retrieved"] == sum(entry["chunks"] for entry in coverage["sources"])
    )
    assert sum(coverage["topics"].values()) == coverage["taken"]
    assert all(entry["reason"].endswith(".") for entry in coverage["dropped"])


async def test_toggling_a_topic_leaves_retrieved_content_alone_and_is_told(editor, retrieved):
    code = await retrieved("livestock", "funding")
    before = (await editor.get(f"{code}/topics"))["retrieved_content"]
    after = await editor.choose(code, "livestock")
    assert after["retrieved_content"] == before
    assert after["changes"] == ["The topics changed since the retrieval."]
    assert (await editor.choose(code, "funding", "livestock"))["changes"] == []


async def test_a_changed_configuration_is_told_and_deletes_nothing(editor, retrieved):
    code = await retrieved("livestock")
    await editor.send("PATCH", code, {"frequency": "monthly"}, of=code)
    topics = await editor.get(f"{code}/topics")
    assert topics["changes"] == ["The configuration changed since the retrieval."]
    assert topics["retrieved_content"]
    assert (await editor.get(code))["changes"] == topics["changes"]


async def test_a_chunk_stays_excluded_when_it_is_found_again(editor, retrieved):
    code = await retrieved("livestock", "funding")
    chunk = (await editor.get(f"{code}/topics"))["retrieved_content"][0]["id"]
    out = await editor.send("PATCH", f"{code}/topics/chunks", {"excluded": [chunk]}, of=f"{code}/topics")
    assert out.status_code == 200
    await editor.start(f"{code}/retrieve")
    await editor.ends(code, "retrieval")
    state = {chunk["id"]: chunk["included"] for chunk in (await editor.get(f"{code}/topics"))["retrieved_content"]}
    assert state.pop(chunk) is False
    assert all(state.values())


async def test_an_exclusion_outlives_a_retrieval_that_did_not_find_the_chunk(editor, retrieved):
    code = await retrieved("livestock", "funding")

    async def included():
        return {chunk["id"]: chunk["included"] for chunk in (await editor.get(f"{code}/topics"))["retrieved_content"]}

    async def exclude(chunk):
        out = await editor.send("PATCH", f"{code}/topics/chunks", {"excluded": [chunk]}, of=f"{code}/topics")
        assert out.status_code == 200

    async def retrieve(*topics):
        await editor.choose(code, *topics)
        await editor.start(f"{code}/retrieve")
        assert (await editor.ends(code, "retrieval"))["status"] == "completed"
        return await included()

    every = await included()
    without = await retrieve("funding")
    gone, *_ = [chunk for chunk in every if chunk not in without]
    await retrieve("livestock", "funding")
    await exclude(gone)
    other, *_ = await retrieve("funding")
    await exclude(other)
    assert [chunk for chunk, used in (await retrieve("livestock", "funding")).items() if not used] == [
        chunk for chunk in every if chunk in (gone, other)
    ]


async def test_clicks_at_the_same_time_are_one_retrieval(editor, services, working):
    code = await editor.begin()
    await editor.choose(code, "livestock")
    # Nobody works yet, so that the first isn't over before the second comes.
    first, second = await asyncio.gather(editor.start(f"{code}/retrieve"), editor.start(f"{code}/retrieve"))
    assert first["job_id"] == second["job_id"]
    async with working(services):
        await editor.ends(code, "retrieval")
        third = await editor.start(f"{code}/retrieve")
        await editor.ends(code, "retrieval")
    assert third["job_id"] not in (first["job_id"], second["job_id"])
    assert (await editor.get(f"{code}/topics"))["version"] == 3


async def test_an_empty_retrieval_says_so(editor, retrieved):
    code = await retrieved("Submarine archaeology")
    topics = await editor.get(f"{code}/topics")
    assert topics["retrieved_content"] == []
    assert topics["coverage"]["sentence"].startswith("Nothing from the last 14 days matches these topics")
    refused = await editor.http.post(f"{PATH}/{code}/outline/generate")
    assert "Retrieve sources first" in refused.json()["detail"]


async def test_what_an_earlier_issue_cited_is_flagged(editor, drafted, retrieved):
    first = await drafted("livestock")
    assert (await editor.get(first))["status"] == "completed"
    second = await retrieved("livestock")
    topics = await editor.get(f"{second}/topics")
    used = [chunk for chunk in topics["retrieved_content"] if chunk["used_in"]]
    assert used
    assert all(chunk["used_in"] == [first] for chunk in used)
    assert topics["coverage"]["used_before"] == len(used)
    assert f"was used before in {first}" in used[0]["why"]


async def test_what_another_newsletter_cited_is_not_used_before(editor, drafted, retrieved):
    """An internal digest that nobody outside reads must not take the best stories from the donors' letter."""
    await drafted("livestock", title="Staff digest 12")
    donors = await retrieved("livestock", title="Letter to donors")
    topics = await editor.get(f"{donors}/topics")
    assert topics["retrieved_content"]
    assert not any(chunk["used_in"] for chunk in topics["retrieved_content"])
    again = await retrieved("livestock", title="Staff digest 13")
    assert (await editor.get(f"{again}/topics"))["coverage"]["used_before"] > 0


async def test_a_topic_of_several_words_finds_them_in_any_order(editor, retrieved):
    code = await retrieved("animals vaccination camel Somali")
    assert "Camel vaccination reaches 240,000 animals in Somali Region" in titles(await editor.get(f"{code}/topics"))
