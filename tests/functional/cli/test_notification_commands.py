"""Notifications from the command line: what is chosen for a person there is what they have."""


def test_a_morning_mail_is_chosen_for_a_person_and_stopped_again(idle_machine):
    with idle_machine.database_kept_running():
        idle_machine.run("user", "add", "ada@example.org", "--name", "Ada", "--role", "member")
        chosen = idle_machine.run("notifications", "morning", "ada@example.org", "--hour", "7", "--days", "135")
        assert (chosen.code, chosen.err) == (0, "")
        listed = idle_machine.run("notifications", "list", "ada@example.org", "--json").json
        assert listed["morning"] == {"hour": 7, "days": [1, 3, 5], "when_empty": False}
        assert idle_machine.run("notifications", "morning", "ada@example.org").out == "No morning mail.\n"
        assert idle_machine.run("notifications", "list", "ada@example.org", "--json").json["morning"]["hour"] is None
