"""A design as a value: the tables a module declares, what its author accepts, and samples and sizes derived from it."""

from tablature.design.model import Accepted, Design, UserAction, accepted, action, design_of

__all__ = ["Accepted", "Design", "UserAction", "accepted", "action", "design_of"]
