"""Whatever is wrong with a command, the answer is one sentence and exit code 2."""

import pytest


@pytest.mark.parametrize("command", ["lint", "docs", "cfn", "terraform", "iam", "cost"])
def test_a_module_that_is_not_there(run, command):
    result = run(command, "no_such_module.tables")
    assert (result.code, result.out) == (2, "")
    assert result.err == "No module named 'no_such_module.tables'; give a dotted name or a .py file.\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1\n", "No table is declared in {file}; name the module that declares Table(...).\n"),
        ("import not_installed\n", "{file} can't be imported: No module named 'not_installed'.\n"),
        ("1 / 0\n", "{file} can't be imported: ZeroDivisionError: division by zero.\n"),
        ("def broken(:\n", "{file} can't be imported: SyntaxError: "),
        (
            "from tablature import Table\nTable('t', pk='a', sk='a')\n",
            "{file} has an invalid declaration: The table 't' uses 'a' as both keys.\n",
        ),
    ],
)
def test_a_module_that_is_no_use(run, module, text, sentence):
    name = module(text)
    result = run("lint", name)
    assert result.code == 2
    assert result.err.startswith(sentence.format(file=name))
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("ACCEPTED = ['TAB301']", "some_tables.ACCEPTED must be a list of accepted(...) from tablature.design.\n"),
        ("ACTIONS = 'sign in'", "some_tables.ACTIONS must be a list of action(...) from tablature.design.\n"),
    ],
)
def test_a_list_for_the_tools_that_is_none(run, module, line, sentence):
    result = run("lint", module(f"from tablature import Table\nt = Table('table', pk='PK')\n{line}\n"))
    assert (result.code, result.err) == (2, sentence)


def test_a_file_that_is_not_there(run):
    result = run("docs", "nowhere.py")
    assert (result.code, result.err) == (2, "File 'nowhere.py' doesn't exist; give a dotted name or a .py file.\n")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["lint"], "Name a module"),
        (["explain", "FILE", "Note.unknown"], "No pattern is named 'Note.unknown'; choose among Note.on_topic"),
        (["explain", "FILE", "on_topic", "topic"], "An input is written as NAME=VALUE"),
        (["explain", "FILE", "on_topic", "colour=red"], "Note.on_topic has no input 'colour'; it has topic"),
        (["explain", "FILE", "of_owner", "number=many"], "'number' takes a value of type int, not 'many'"),
        (["explain", "FILE", "of_owner", "owner=a..b"], "'owner' is part of the partition key"),
        (["iam", "FILE", "--entity", "Nobody"], "The design has no entity 'Nobody'"),
        (["iam", "FILE", "--pattern", "nothing"], "No pattern is named 'nothing'"),
        (["iam", "FILE", "--pattern", "on_topic", "--access", "admin"], "is read-only"),
        (["iam", "FILE", "--bind", "colour=red"], "No entity has a field 'colour'"),
        (["cfn", "FILE", "--name", "others=x"], "The design has no table 'others'; it has notes."),
        (["terraform", "FILE", "--name", "notes"], "A table's name is written as NAME=VALUE"),
        (["migrate", "FILE", "--path", "nowhere.db"], "File 'nowhere.db' doesn't exist"),
    ],
)
def test_arguments_that_make_no_sense(run, module, arguments, part):
    name = module()
    result = run(*(name if argument == "FILE" else argument for argument in arguments))
    assert (result.code, result.out) == (2, "")
    assert part in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["cfn", "m", "--format", "xml"],
        ["lint", "m", "--peak-writes", "0"],
        ["migrate", "m"],
        ["migrate", "m", "--path", "x", "--rate", "0"],
    ],
)
def test_a_command_line_that_can_not_be_read(run, arguments):
    result = run(*arguments)
    assert result.code == 2
    assert "usage: tablature" in result.err
