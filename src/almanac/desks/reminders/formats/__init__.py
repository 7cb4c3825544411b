"""Files with customers and invoices: every row is created, updated, unchanged or refused with a reason.

Everything here is pure. All rows are decided before anything is written, so that a preview has the totals of the
import.
"""
