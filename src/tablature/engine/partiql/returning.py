"""What the RETURNING clause of a write gives back."""

from tablature.engine.actions import Action, Edit
from tablature.engine.partiql.statements import Delete, Update
from tablature.engine.partiql.writes import Write
from tablature.engine.storage import Change
from tablature.engine.values import Item


def returned_item(write: Write, action: Action, change: Change) -> Item | None:
    """The asked image of the written item, or its changed parts; None when nothing was asked or there is none."""
    if not isinstance(write, Update | Delete) or write.returning is None:
        return None
    image = change.old if write.returning.endswith("OLD") else change.new
    if image is None:
        return None
    if write.returning.startswith("UPDATED") and isinstance(action, Edit) and action.update is not None:
        return action.update.touched(image.item) or None
    return image.item
