"""The API checks sentences against sources for signed-in callers, and rejects invalid or oversized requests."""

SOURCES = {"agri": "Paddy output in Kedah rose 4.5 percent to 1,250,300 tonnes."}


async def test_a_text_is_checked_sentence_by_sentence(api):
    text = "Paddy output in Kedah rose 4.5%. [@agri] It reached 1,520,300 tonnes. [@agri]"
    answer = await api.post("/api/v1/verify", json={"text": text, "sources": SOURCES})
    assert answer.status_code == 200, answer.text
    report = answer.json()
    assert report["supported"] is False
    assert [sentence["verdict"] for sentence in report["sentences"]] == ["supported", "changed"]
    finding = report["sentences"][1]["findings"][0]
    assert (finding["kind"], finding["expected"]) == ("number", "1,250,300 tonnes")


async def test_claims_are_checked_in_their_order(api):
    claims = [
        {"text": "Paddy output rose 4.5%.", "references": ["agri"]},
        {"text": "Paddy output rose 4.5%.", "references": ["gone"]},
        {"text": "Dear readers", "needs_source": False},
    ]
    answer = await api.post("/api/v1/verify", json={"claims": claims, "sources": SOURCES})
    assert [sentence["verdict"] for sentence in answer.json()["sentences"]] == ["supported", "unsupported", "supported"]


async def test_an_own_sentence_must_not_contradict_a_source(api):
    text = "Dear readers, welcome! [@own] We are glad that paddy output in Kedah rose 5.4 percent. [@own]"
    report = (await api.post("/api/v1/verify", json={"text": text, "sources": SOURCES})).json()
    assert [(sentence["kind"], sentence["verdict"]) for sentence in report["sentences"]] == [
        ("own", "supported"),
        ("own", "changed"),
    ]
    refused = await api.post("/api/v1/verify", json={"text": text, "sources": {"own": "A text."}})
    assert refused.status_code == 422


async def test_names_in_two_languages_can_be_given(api):
    wish = {
        "claims": [{"text": "Hanako announced aid.", "references": ["a"]}],
        "sources": {"a": "花子は支援を発表した。"},
        "names": {"Hanako": ["花子"]},
    }
    assert (await api.post("/api/v1/verify", json=wish)).json()["supported"] is True
    wish["sources"] = {"a": "太郎は支援を発表した。"}
    assert (await api.post("/api/v1/verify", json=wish)).json()["supported"] is False


async def test_nobody_may_not(nobody):
    answer = await nobody.http.post("/api/v1/verify", json={"text": "Hello.", "sources": {}})
    assert answer.status_code == 401


async def test_a_wish_without_text_and_claims_is_refused(api):
    for wish in ({"sources": SOURCES}, {"text": "A.", "claims": [], "sources": SOURCES}):
        answer = await api.post("/api/v1/verify", json=wish)
        assert answer.status_code == 422
        assert answer.headers["content-type"].startswith("application/problem+json")


async def test_too_much_at_once_is_refused(api):
    many = [{"text": "A sentence.", "references": []}] * 501
    assert (await api.post("/api/v1/verify", json={"claims": many, "sources": {}})).status_code == 422
    long = {"text": "a" * 200_001, "sources": {}}
    assert (await api.post("/api/v1/verify", json=long)).status_code == 422
