"""A design as a value: the tables a module declares, what its author accepts, and samples and sizes derived from it."""

from .declared import Accepted, UserAction, accepted, action
from .module import Design, design_of

__all__ = ["Accepted", "Design", "UserAction", "accepted", "action", "design_of"]
