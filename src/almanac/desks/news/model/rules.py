"""Rules in the one query syntax: which articles are taken, which are left out, and which get a tag."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from almanac.search import SearchDocument, SearchQuery
from almanac.search.matcher import matches_document


class Action(StrEnum):
    """Take only what matches one of these, leave out what matches, or add a tag."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    TAG = "tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFields:
    """What people set of a rule; `tag` is the tag it adds. One that is switched off does nothing."""

    name: str
    action: Action
    query: str
    tag: str | None = None
    is_active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(RuleFields):
    """One rule. `version` guards edits."""

    id: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEdit:
    """What to set of a rule; None leaves it as it is."""

    name: str | None = None
    action: Action | None = None
    query: str | None = None
    tag: str | None = None
    is_active: bool | None = None

    def of(self, rule: RuleFields) -> RuleFields:
        """The rule as it will be; only one that gives a tag has one."""
        action = rule.action if self.action is None else self.action
        tag = (rule.tag if self.tag is None else self.tag) if action == Action.TAG else None
        return RuleFields(
            name=(rule.name if self.name is None else self.name).strip(),
            action=action,
            query=rule.query if self.query is None else self.query,
            tag=tag.strip() if tag else None,
            is_active=rule.is_active if self.is_active is None else self.is_active,
        )


@dataclass(frozen=True, slots=True)
class ReadyRule:
    """A rule whose query was understood."""

    rule: Rule
    query: SearchQuery


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say about an article: why it is left out, or the tags it gets."""

    left_out: str | None = None
    tags: tuple[str, ...] = ()


def judge(rules: Sequence[ReadyRule], document: SearchDocument) -> Verdict:
    """Excluding wins over including; where any rule includes, an article needs one that does."""
    matching = [ready.rule for ready in rules if matches_document(ready.query, document)]
    excluding = next((rule for rule in matching if rule.action == Action.EXCLUDE), None)
    if excluding is not None:
        return Verdict(left_out=f"The rule “{excluding.name}” leaves it out.")
    includes = any(ready.rule.action == Action.INCLUDE for ready in rules)
    if includes and not any(rule.action == Action.INCLUDE for rule in matching):
        return Verdict(left_out="No rule that includes articles matches it.")
    return Verdict(tags=tuple(dict.fromkeys(rule.tag for rule in matching if rule.action == Action.TAG and rule.tag)))
