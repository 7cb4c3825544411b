"""`almanac why`: answers in sentences or JSON, lists choices, and asks as a person."""

import json


def test_why_answers_lists_and_asks_as_a_person(machine):
    machine.run("reminders", "add-customer", "lotus", "Lotus Print", "--email", "billing@lotus.example")
    answer = machine.run("why", "is", "lotus", "print", "not", "reminded?")
    assert answer.out.startswith("Lotus Print: Without an invoice there is nothing to remind of.")
    machine.run("reminders", "add-customer", "lily", "Lily Lotus")
    listed = machine.run("why", "lotus").out
    assert "customer:lily  Lily Lotus: " in listed
    assert "Ask about one of them, such as: almanac why customer:" in listed
    [trace] = json.loads(machine.run("why", "customer:lotus", "--json").out)
    assert (trace["about"], trace["kind"], trace["title"]) == ("customer:lotus", "customer", "Lotus Print")
    machine.run("user", "add", "ada@example.org", "--name", "Ada", "--role", "member")
    machine.run("habits", "new", "Reading", "--for", "ada@example.org")
    missing = machine.run("why", "reading")
    assert (missing.code, "Nothing has this name" in missing.err) == (1, True)
    own = machine.run("why", "reading", "--as", "ada@example.org")
    assert own.out.startswith("Reading: There is no streak yet")
    hidden = machine.run("why", "customer:lotus", "--as", "ada@example.org")
    assert (hidden.code, hidden.out) == (1, "")
