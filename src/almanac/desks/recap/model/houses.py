"""The houses of all parliaments by the record's names, with those that readers see."""

from almanac.desks.recap.model.parliaments.registry import PARLIAMENTS

HOUSES = {name: label for parliament in PARLIAMENTS for name, label in parliament.houses.items()}
