"""A design as a value: declared tables, accepted findings, and samples and cost estimates derived from them."""

from tablature.design.model import Accepted, Design, UserAction, accepted, action, design_of

__all__ = ["Accepted", "Design", "UserAction", "accepted", "action", "design_of"]
