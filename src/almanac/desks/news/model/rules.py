"""Rules in the one query syntax: which articles are taken, which are left out, and which get a tag."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from almanac.search import SearchDocument, SearchQuery
from almanac.search.matcher import matches_document


class RuleAction(StrEnum):
    """Take only what matches one of these, leave out what matches, or add a tag."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    TAG = "tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFields:
    """What people set of a rule; `tag` is the tag it adds. One that is switched off does nothing."""

    name: str
    action: RuleAction
    query: str
    tag: str | None = None
    is_active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsRule(RuleFields):
    """One rule. `version` guards edits."""

    id: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEdit:
    """What to set of a rule; None leaves it as it is."""

    name: str | None = None
    action: RuleAction | None = None
    query: str | None = None
    tag: str | None = None
    is_active: bool | None = None

    def apply_to(self, rule: RuleFields) -> RuleFields:
        """The rule as it will be; only one that gives a tag has one."""
        action = rule.action if self.action is None else self.action
        tag = (rule.tag if self.tag is None else self.tag) if action == RuleAction.TAG else None
        return RuleFields(
            name=(rule.name if self.name is None else self.name).strip(),
            action=action,
            query=rule.query if self.query is None else self.query,
            tag=tag.strip() if tag else None,
            is_active=rule.is_active if self.is_active is None else self.is_active,
        )


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule whose query was understood."""

    rule: NewsRule
    query: SearchQuery


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """What the rules say about an article: why it is left out, or the tags it gets."""

    excluded_because: str | None = None
    tags: tuple[str, ...] = ()


def apply_rules(rules: Sequence[CompiledRule], document: SearchDocument) -> RuleVerdict:
    """Excluding wins over including; where any rule includes, an article needs one that does."""
    matching = [ready.rule for ready in rules if matches_document(ready.query, document)]
    excluding = next((rule for rule in matching if rule.action == RuleAction.EXCLUDE), None)
    if excluding is not None:
        return RuleVerdict(excluded_because=f"The rule “{excluding.name}” excludes it.")
    includes = any(ready.rule.action == RuleAction.INCLUDE for ready in rules)
    if includes and not any(rule.action == RuleAction.INCLUDE for rule in matching):
        return RuleVerdict(excluded_because="It matches none of the rules that include articles.")
    return RuleVerdict(
        tags=tuple(dict.fromkeys(rule.tag for rule in matching if rule.action == RuleAction.TAG and rule.tag))
    )
