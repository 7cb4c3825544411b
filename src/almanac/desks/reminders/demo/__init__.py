"""The desk's demo content: 120 customers with 400 invoices in two currencies, at every stage of the ladder."""

from almanac.demo import DemoPart
from almanac.desks.reminders.demo.loader import CUSTOMER, INVOICE, load_customers, remove_customers
from almanac.kit.messages import ngettext

__all__ = ["PART"]

PART = DemoPart(
    kinds={
        CUSTOMER: lambda num: ngettext("%(num)s customer", "%(num)s customers", num),
        INVOICE: lambda num: ngettext("%(num)s invoice", "%(num)s invoices", num),
    },
    steps=(load_customers,),
    remove=remove_customers,
)
