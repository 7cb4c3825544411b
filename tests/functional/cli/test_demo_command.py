"""Demo content from a terminal: offered on the first start, refused and removed with a sentence each."""

import pytest


def test_the_first_start_of_an_empty_installation_offers_the_demo(idle_machine):
    served = idle_machine.serve(ALMANAC_DEMO="yes", ALMANAC_WORKER="no")
    assert "Demo content is being loaded" in served.text
    refused = idle_machine.run("demo", "--remove")
    assert refused.code == 1
    assert "being loaded" in refused.err


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--remove"], 0, "No demo content to remove."),
        (["--for", "nobody@example.org"], 1, "error: "),
    ],
)
def test_what_can_not_be_done_is_a_sentence(machine, words, code, sentence):
    assert "Demo content" not in machine.started[0].text
    answer = machine.run("demo", *words)
    assert answer.code == code
    assert sentence in answer.out + answer.err
    assert "Traceback" not in answer.err
