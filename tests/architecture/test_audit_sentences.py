"""Every action that the code can record in the audit log has a sentence, and every sentence is of such an action.

The codes are collected from the calls that lead to `AuditAction`: a function that passes one of its parameters on as
the action is followed to its own callers, until every code stands literally in a call.
"""

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import pytest

from almanac.audit.sentences import PLATFORM_ACTIONS
from almanac.desks import DESKS

ACTION = re.compile(r"[a-z_]+(\.[a-z_-]+)+")
# Where the fields of this class are read back from storage, the code was recorded before.
MADE_WITH_AN_ACTION = ("AuditAction", "DraftEventRecorder")
READ_BACK = {"almanac.desks.reminders.store.transactions"}


@dataclass(frozen=True)
class Function:
    module: str
    name: str
    parameters: tuple[str, ...]
    node: ast.AST


def functions(modules):
    """Every function and method by name, and each class as the function that makes it."""
    listed = defaultdict(list)
    for module in modules.values():
        for node in module.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                arguments = node.args
                names = tuple(a.arg for a in arguments.posonlyargs + arguments.args)
                keywords = tuple(a.arg for a in arguments.kwonlyargs)
                names = names[1:] if names[:1] in (("self",), ("cls",)) else names
                listed[node.name].append(Function(module.name, node.name, names + keywords, node))
            elif isinstance(node, ast.ClassDef):
                fields = tuple(
                    item.target.id
                    for item in node.body
                    if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
                )
                listed[node.name].append(Function(module.name, node.name, fields, node))
    return listed


def name_of(call):
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def results(node):
    """The parts of an expression that can become its value: not what it depends on."""
    yield node
    for name, child in ast.iter_fields(node):
        if isinstance(node, ast.IfExp) and name == "test":
            continue
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.AST):
                yield from results(part)


def texts_in(node, constants):
    """Every code that an expression can become; names are looked up among the constants of the source."""
    for part in results(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and ACTION.fullmatch(part.value):
            yield part.value
        elif isinstance(part, ast.Name):
            yield from constants.get(part.id, ())


def constants_of(modules):
    """Per module the codes in each constant that it has or imports, such as `PUBLISHED`, in a mapping too."""
    own = {name: {} for name in modules}
    for _ in ("constants", "mappings that use them"):
        for module in modules.values():
            scope = visible(module, own)
            for target, value in (pair for node in module.tree.body for pair in assignments(node)):
                if isinstance(target, ast.Name) and isinstance(value, ast.Constant | ast.Dict):
                    own[module.name][target.id] = set(texts_in(value, scope))
    return {name: visible(module, own) for name, module in modules.items()}


def visible(module, own):
    imported = (name.rpartition(".") for name, _ in module.imported())
    borrowed = {name: own[home][name] for home, _, name in imported if name in own.get(home, {})}
    return borrowed | own[module.name]


def assignments(node):
    if isinstance(node, ast.AnnAssign):
        return [(node.target, node.value)]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if targets and isinstance(targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
        return zip(targets[0].elts, node.value.elts, strict=True)
    return [(target, node.value) for target in targets]


@cache
def enclosing(module):
    """The innermost function of every node of a module."""
    owner = {}

    def visit(node, current):
        for child in ast.iter_child_nodes(node):
            inner = child if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else current
            owner[child] = current
            visit(child, inner)

    visit(module.tree, None)
    return owner


def argument(call, function, name):
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    place = function.parameters.index(name)
    return call.args[place] if place < len(call.args) else None


def names_assigned(function, name):
    """What a local variable is set to within a function, also by a loop."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield node.value
        if isinstance(node, ast.For | ast.AsyncFor):
            targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
            if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                yield node.iter


class Collector:
    """Follows every call that leads to an audit entry; `unclear` lists those whose action can't be told."""

    def __init__(self, modules):
        self.listed, self.scopes = functions(modules), constants_of(modules)
        self.calls = defaultdict(list)
        for module in modules.values():
            for node in module.nodes:
                if isinstance(node, ast.Call):
                    self.calls[name_of(node)].append((module, node))
        self.waiting = [(self.listed[name][0], "action") for name in MADE_WITH_AN_ACTION]
        self.codes, self.unclear, self.seen = set(), [], set()

    def collect(self):
        while self.waiting:
            function, parameter = self.waiting.pop()
            if (function.module, function.name, parameter) in self.seen:
                continue
            self.seen.add((function.module, function.name, parameter))
            for module, call in self.calls[function.name]:
                value = argument(call, function, parameter)
                if (
                    value is not None
                    and module.name not in READ_BACK
                    and is_call_of(module, call, function, self.listed)
                ):
                    self.read(module, call, value)
        return self

    def read(self, module, call, value):
        texts = set(texts_in(value, self.scopes[module.name]))
        self.codes |= texts
        names = {part.id for part in results(value) if isinstance(part, ast.Name)}
        followed = [self.follow(module, call, name) for name in names]
        composed = any(isinstance(part, ast.JoinedStr) for part in results(value))
        if composed or not (texts or any(followed)):
            self.unclear.append(f"{module.name}:{call.lineno} {ast.unparse(value)}")

    def follow(self, module, call, name):
        """Whether a name in the action's place is a parameter, a local variable or a function that chooses."""
        constants, owners = self.scopes[module.name], enclosing(module)
        outer = owners.get(call)
        while outer is not None:
            arguments = outer.args.posonlyargs + outer.args.args + outer.args.kwonlyargs
            if name in {a.arg for a in arguments}:
                self.waiting += [(function, name) for function in self.listed[outer.name] if function.node is outer]
                return True
            assigned = list(names_assigned(outer, name))
            local = {text for part in assigned for text in spread(part, constants, self.listed)}
            self.codes |= local
            if local or any(is_own_field(part) for part in assigned):
                return True
            outer = owners.get(outer)
        chosen = {text for function in self.listed.get(name, ()) for text in texts_in(function.node, constants)}
        self.codes |= chosen
        return bool(chosen)


def is_own_field(node):
    """Whether this reads a field of the object, which was followed where the object is made."""
    return any(isinstance(part, ast.Attribute) and ast.unparse(part) == "self.action" for part in ast.walk(node))


def spread(node, constants, listed):
    """Codes of an expression; a generator function that it calls gives what it yields."""
    yield from texts_in(node, constants)
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            for function in listed.get(name_of(call), ()):
                if any(isinstance(part, ast.Yield) for part in ast.walk(function.node)):
                    yield from texts_in(function.node, constants)


def is_call_of(module, call, function, listed):
    """Whether a call by this name can mean this function: the only one of its name, its own module's, or imported."""
    if len(listed[function.name]) == 1 or module.name == function.module:
        return True
    imported = {name for name, _ in module.imported()}
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return any(name.endswith(f".{call.func.value.id}") and name in function.module for name in imported)
    return f"{function.module}.{function.name}" in imported


def sentences():
    groups = [group.sentences for group in PLATFORM_ACTIONS] + [desk.audit_sentences for desk in DESKS]
    return {code: text for group in groups for code, text in group.items()}


@pytest.fixture(scope="module")
def recorded(modules):
    return Collector(modules).collect()


def test_every_action_that_can_be_recorded_has_a_sentence(recorded):
    assert recorded.unclear == [], "Write the codes literally, so that this test sees them."
    assert len(recorded.codes) > 90
    missing = recorded.codes - sentences().keys()
    assert missing == set(), "Add a sentence to PLATFORM_ACTIONS or to the desk's AUDIT_SENTENCES."


def test_there_is_no_sentence_for_an_action_that_nothing_records(recorded):
    assert sentences().keys() - recorded.codes == set()


def test_a_sentence_begins_with_who_did_it():
    assert [str(text) for text in sentences().values() if not str(text).startswith("Somebody ")] == []
