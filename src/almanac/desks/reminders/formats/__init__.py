"""Reading customers and invoices from spreadsheets: every row is created, updated, unchanged or refused with a reason.

Pure up to `matching`; what is written is decided before anything is, so that a trial run has the numbers of a real one.
"""
