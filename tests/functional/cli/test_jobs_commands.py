"""`almanac jobs` as an operator uses it: what failed with its name and reason, dismissed and listed again."""

import pytest


@pytest.fixture
def broken(machine):
    (machine.folder / "broken.pdf").write_bytes(b"%PDF-1.4\nthis is no PDF\n%%EOF")
    machine.run("knowledge", "add", "broken.pdf", "--wait", "--json")
    [failure] = machine.run("jobs", "failures", "--json").json
    return str(failure["failure"]["job_id"])


def test_a_failure_is_named_dismissed_with_a_reason_and_listed_again(machine, broken):
    listed = machine.run("jobs", "failures").out
    assert "broken.pdf" in listed
    assert "input" in listed

    assert machine.run("jobs", "dismiss", broken).code == 2
    assert "Dismissed 1 failure." in machine.run("jobs", "dismiss", broken, "--why", "It was a test.").out
    assert "No failures." in machine.run("jobs", "failures").out
    assert "It was a test." in machine.run("jobs", "failures", "--dismissed").out

    assert "Listed 1 failure again." in machine.run("jobs", "restore", broken).out
    assert "Dismissed 1 failure." in machine.run("jobs", "dismiss", "--task", "knowledge.read", "--why", "All.").out
    assert "Queued 1 job again." in machine.run("jobs", "retry", broken).out


def test_either_jobs_or_a_kind_is_named(machine):
    answer = machine.run("jobs", "dismiss", "--why", "nothing")
    assert (answer.code, answer.err.strip()) == (2, "error: Name either jobs or --task.")
