"""The desk's demo content: 120 customers with 400 invoices in two currencies, at every stage of the ladder."""

from almanac.demo import DemoPart
from almanac.desks.reminders.demo.loader import CUSTOMER, INVOICE, load_customers, remove_customers

__all__ = ["PART"]

PART = DemoPart(kinds=(CUSTOMER, INVOICE), steps=(load_customers,), remove=remove_customers)
