"""Readers who get mail, from a terminal: counted, shown and erased."""


def test_readers_are_counted_and_who_isnt_stored_isnt_shown(installed_machine):
    assert "0 people, 0 alerts, 0 requests to confirm." in installed_machine.run("subscriber", "count").out
    assert installed_machine.run("subscriber", "count", "--json").json == {"people": 0, "alerts": 0, "unconfirmed": 0}
    shown = installed_machine.run("subscriber", "show", "nobody@example.org")
    assert (shown.code, "Nothing is stored about this address." in shown.err) == (1, True)
    erased = installed_machine.run("subscriber", "erase", "nobody@example.org")
    assert erased.code == 1
    assert installed_machine.run("subscriber", "erase", "nobody@example.org", "--forever").code == 0
    wrong = installed_machine.run("subscriber", "show", "nobody")
    assert wrong.code == 2
