"""Work queues: one holder at a time, kept by heartbeat, lost with the lease, given up after too many attempts."""

from datetime import datetime, timedelta
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tablature
from tablature import Attr, Entity, Index, Table, attr, auto_now_add, index, primary, queue
from tablature.errors import InputError, LeaseLost

simple = Table("llm_tasks", pk="pk", indexes=[Index("StatusIndex", "status", "createdAt")])
spread = Table("jobs", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Task(Entity, table=simple):
    pk: Attr[str]
    status: Attr[Literal["pending", "completed", "failed"]] = attr(default="pending")
    retry_attempts: Attr[int] = attr(default=0, name="retryAttempts")
    created_at: Attr[datetime] = auto_now_add(name="createdAt")
    result: Attr[str | None] = attr(default=None)

    key = primary("{pk}")
    by_status = index("StatusIndex", "{status}", "{created_at}")
    work = queue(
        by_status,
        ready="pending",
        done="completed",
        failed="failed",
        attempts="retry_attempts",
        lease=timedelta(minutes=5),
        most_attempts=3,
    )


class Job(Entity, table=spread):
    id: Attr[str]
    status: Attr[Literal["ready", "running", "done"]] = attr(default="ready")
    created_at: Attr[datetime] = auto_now_add()

    key = primary("JOB#{id}", "JOB")
    by_status = index(
        "GSI1", "JOBS#{status}", "{created_at:iso}#{id}", when={"status": ("ready", "running")}, shards=2, by="id"
    )
    work = queue(by_status, ready="ready", running="running", done="done", lease=timedelta(minutes=1))


@pytest.fixture
def db(open_db):
    return open_db(simple, spread)


def fill(db, clock, count):
    for number in range(count):
        db.create(Task(pk=str(number)))
        clock.advance(seconds=1)


def test_the_oldest_work_is_claimed_first_and_by_one_worker_only(db, clock):
    fill(db, clock, 3)
    (first,) = db.claim(Task.work, "ann")
    others = db.claim(Task.work, "bob", limit=5)
    assert first.item.pk == "0"
    assert [claim.item.pk for claim in others] == ["1", "2"]
    assert db.claim(Task.work, "cyd") == []


def test_work_that_does_not_meet_the_condition_is_not_touched(db, clock):
    fill(db, clock, 3)
    db.patch(Task.key(pk="1"), result="mine")
    db.patch(Task.key(pk="0"), retry_attempts=9)
    claims = db.claim(Task.work, "ann", limit=5, where=Task.result.exists())
    assert [claim.item.pk for claim in claims] == ["1"]
    others = [db.get(Task.key(pk=pk)) for pk in ("0", "2")]
    assert [(task.status, task.retry_attempts) for task in others] == [("pending", 9), ("pending", 0)]


def test_finished_work_leaves_the_queue_with_its_outcome(db, clock):
    fill(db, clock, 1)
    (claim,) = db.claim(Task.work, "ann")
    done = db.finish(claim, result="fine")
    assert (done.status, done.result, done.retry_attempts) == ("completed", "fine", 1)
    assert not {"lease_token", "lease_until", "lease_owner"} & done.__dict__["__stored__"].keys()
    clock.advance(hours=1)
    assert db.claim(Task.work, "bob") == []


def test_a_worker_whose_lease_ran_out_loses_it_to_the_next(db, clock):
    fill(db, clock, 1)
    (old,) = db.claim(Task.work, "ann")
    clock.advance(minutes=6)
    (new,) = db.claim(Task.work, "bob")
    assert (new.item.pk, new.attempt) == ("0", 2)
    for late in (db.heartbeat, db.finish, db.release):
        with pytest.raises(LeaseLost, match="ann"):
            late(old)
    assert db.finish(new).status == "completed"


def test_a_heartbeat_keeps_the_lease(db, clock):
    fill(db, clock, 1)
    (claim,) = db.claim(Task.work, "ann")
    clock.advance(minutes=4)
    claim = db.heartbeat(claim)
    clock.advance(minutes=4)
    assert db.claim(Task.work, "bob") == []
    db.finish(claim)


def test_released_work_can_be_claimed_again_at_once_or_later(db, clock):
    fill(db, clock, 1)
    (claim,) = db.claim(Task.work, "ann")
    db.release(claim)
    (claim,) = db.claim(Task.work, "bob")
    db.release(claim, delay=timedelta(minutes=10))
    assert db.claim(Task.work, "cyd") == []
    clock.advance(minutes=11)
    assert [claim.attempt for claim in db.claim(Task.work, "cyd")] == [3]


def test_work_that_was_tried_too_often_fails(db, clock):
    fill(db, clock, 1)
    for _ in range(3):
        assert len(db.claim(Task.work, "ann")) == 1
        clock.advance(minutes=6)
    assert db.claim(Task.work, "ann") == []
    assert db.require(Task.key(pk="0")).status == "failed"


def test_expired_leases_are_reset(db, clock):
    fill(db, clock, 2)
    db.claim(Task.work, "ann", limit=2)
    assert db.reset_expired(Task.work) == 0
    clock.advance(minutes=6)
    assert db.reset_expired(Task.work) == 2
    assert "lease_token" not in db.require(Task.key(pk="0")).__dict__["__stored__"]


def test_a_lease_whose_holder_is_gone_can_be_released_by_anybody(db, clock):
    fill(db, clock, 3)
    (mine,) = db.claim(Task.work, "ann")
    db.claim(Task.work, "bob")
    held = {lease.owner: lease for lease in db.leases(Task.work)}
    assert set(held) == {"ann", "bob"}
    assert (held["ann"].until, held["ann"].attempt) == (mine.until, 1)
    db.release(held["ann"])
    assert [lease.owner for lease in db.leases(Task.work)] == ["bob"]
    with pytest.raises(LeaseLost):
        db.heartbeat(mine)
    assert [claim.item.pk for claim in db.claim(Task.work, "cyd")] == [mine.item.pk]


def test_a_running_state_moves_claimed_work_out_of_the_ready_partition(db, clock):
    db.put_many([Job(id=str(number)) for number in range(4)])
    claims = db.claim(Job.work, "ann", limit=3)
    assert {claim.item.status for claim in claims} == {"running"}
    db.finish(claims[0])
    db.release(claims[1])
    assert len(db.claim(Job.work, "bob", limit=9)) == 2
    clock.advance(minutes=2)
    assert db.reset_expired(Job.work) == 3
    assert len(db.claim(Job.work, "cyd", limit=9)) == 3


def test_a_claim_that_two_workers_want_is_won_by_one(db, clock, transport):
    fill(db, clock, 1)
    won = []
    rival = tablature.Database(transport, names=db.context.names, clock=clock)

    class Slow:
        """Lets the rival claim between the look and the claim."""

        def send(self, operation, request):
            if operation == "UpdateItem" and not won:
                won.extend(rival.claim(Task.work, "rival"))
            return transport.send(operation, request)

    slow = tablature.Database(Slow(), names=db.context.names, clock=clock)
    assert slow.claim(Task.work, "slow") == []
    assert [claim.owner for claim in won] == ["rival"]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(["claim", "beat", "finish", "release", "wait"]), st.integers(0, 2)), max_size=15)
)
def test_at_most_one_claim_is_good_at_any_time(open_db, clock, moves):
    db = open_db(simple)
    db.create(Task(pk="only"))
    claims = [None, None, None]
    for move, who in moves:
        if move == "wait":
            clock.advance(minutes=3)
        elif move == "claim":
            taken = db.claim(Task.work, f"w{who}")
            claims[who] = taken[0] if taken else claims[who]
        elif claims[who] is not None:
            verb = {"beat": db.heartbeat, "finish": db.finish, "release": db.release}[move]
            stored = db.require(Task.key(pk="only")).__dict__["__stored__"].get("lease_token")
            try:
                verb(claims[who])
                assert stored == {"S": claims[who].token}
            except LeaseLost:
                assert stored != {"S": claims[who].token}


def test_a_claim_of_nothing_is_refused(db):
    with pytest.raises(InputError, match="at least one"):
        db.claim(Task.work, "ann", limit=0)
