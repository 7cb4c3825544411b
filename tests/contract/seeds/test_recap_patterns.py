"""The recap document's access patterns: tasks by status under a lease, articles under all they are filtered by."""

import pytest

from almanac.desks.recap.store.table import Article, Task
from tablature import between, replace
from tablature.errors import InputError

ID = "122105254X00120260123"


@pytest.fixture
def tasks(open_table):
    return open_table("llm_tasks")


@pytest.fixture
def articles(open_table):
    return open_table("articles")


@pytest.fixture
def thin_keys(documented):
    """The thin items of the article that these tests change."""
    keys = {(item["PK"]["S"], item["SK"]["S"]) for item in documented("articles")}
    return {(pk, sk) for pk, sk in keys if sk.endswith(ID)}


def test_tasks_are_listed_by_status(tasks, costs):
    result = costs(tasks, lambda: tasks.db.query(Task.with_status(status="pending")), rcu=0.5)
    assert [task.meeting["session"] for task in result] == [221]


def test_a_finished_task_moves_in_the_status_index(tasks):
    (claim,) = tasks.db.claim(Task.work, "worker-1")
    assert tasks.db.claim(Task.work, "worker-2") == []
    tasks.db.finish(claim, result_url="s3://results/done.json")
    assert tasks.db.query(Task.with_status(status="pending")).items == []
    assert len(tasks.db.query(Task.with_status(status="completed"))) == 2


def test_a_first_claim_is_no_retry(tasks):
    (claim,) = tasks.db.claim(Task.work, "worker-1")
    assert (claim.attempt, claim.item.retry_attempts) == (1, 0)


LISTS = {
    "with_category": {"each": "財政"},
    "with_person": {"each": "山田太郎"},
    "with_keyword": {"each": "消費税10%"},
    "with_image_kind": {"each": "会議録"},
    "of_session": {"each": 221},
    "of_house": {"each": "衆議院"},
    "of_meeting": {"each": "本会議"},
    "timeline": {"each": ID},
}


@pytest.mark.parametrize("name", LISTS)
def test_an_article_is_listed_under_everything_it_is_filtered_by(articles, costs, name):
    query = getattr(Article, name)(**LISTS[name])
    (card,) = costs(articles, lambda: articles.db.query(query), rcu=0.5)
    assert (card.id, card.date, card.categories) == (ID, "2026-01-23", ["財政", "税制"])
    earlier = getattr(Article, name)(**LISTS[name], date=between("2025-01-01", "2025-12-31"))
    assert articles.db.query(earlier).items == []


def test_articles_are_listed_latest_first_and_by_month(articles, costs):
    for number, day in enumerate(("2026-01-05", "2026-02-01", "2025-12-31")):
        articles.db.create(Article(id=f"new{number}", title=f"New {number}", date=day))
    latest = costs(articles, lambda: articles.db.query(Article.latest()), rcu=5)
    days = ["2026-02-01", "2026-01-23", "2026-01-05", "2025-12-31", "2025-12-20"]
    assert [article.date[:10] for article in latest] == days
    month = costs(articles, lambda: articles.db.query(Article.of_month(date="2026-01")), rcu=1)
    assert [article.id for article in month] == [ID, "new0"]


def test_publishing_writes_the_article_and_its_thin_items_as_documented(articles, thin_keys):
    article = articles.db.require(Article.key(id=ID))
    before = articles.items()
    articles.db.delete(article)
    assert not [key for key in articles.items() if key[1].endswith(ID)]
    articles.db.create(replace(article))
    after = articles.items()
    assert {key: after[key] for key in thin_keys} == {key: before[key] for key in thin_keys}


def test_a_remade_article_leaves_no_stale_thin_item(articles, thin_keys):
    keywords = [{"keyword": "軽減税率"}, {"keyword": "予算"}]
    changed = {"keywords": keywords, "participants": [], "date": "2026-02-02", "image_kind": None}
    articles.db.patch(Article.key(id=ID), **changed)
    keys = {key for key in articles.items() if ID in "".join(key)}
    assert keys.isdisjoint(thin_keys)
    expected = {"CATEGORY#財政", "CATEGORY#税制", "KEYWORD#軽減税率", "KEYWORD#予算", "SESSION#221", "HOUSE#衆議院"}
    expected |= {"MEETING#本会議", f"ISSUE#{ID}", f"A#{ID}"}
    assert {pk for pk, _ in keys} == expected
    assert {sk for _, sk in keys} == {"META", f"Y#2026#M#02#D#2026-02-02#A#{ID}"}


def test_an_article_without_an_image_has_no_thin_item_for_one(articles):
    articles.db.create(Article(id="plain", title="Plain", date="2026-01-01"))
    assert {pk for pk, sk in articles.items() if "plain" in pk + sk} == {"A#plain"}


def test_an_article_of_a_program_that_writes_moments_and_plain_names_is_read_listed_and_remade(articles):
    (card,) = articles.db.query(Article.with_person(each="鈴木一郎"))
    assert (card.id, card.date, card.session) == ("old1", "2025-12-20T00:00:00.000Z", None)
    remade = {"date": "2025-12-20", "keywords": [], "participants": [{"name": "鈴木一郎"}]}
    articles.db.patch(Article.key(id="old1"), **remade)
    keys = {key for key in articles.items() if "old1" in "".join(key)}
    sk = "Y#2025#M#12#D#2025-12-20#A#old1"
    assert keys == {("A#old1", "META"), ("CATEGORY#予算", sk), ("PERSON#鈴木一郎", sk)}


def test_a_day_that_is_none_is_refused(articles):
    with pytest.raises(InputError, match="'soon' does not match"):
        articles.db.create(Article(id="x", title="X", date="soon"))
