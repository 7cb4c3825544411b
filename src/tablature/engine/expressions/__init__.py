"""The service's expression language: conditions, filters, key conditions, projections and updates.

Operations go through `tablature.engine.clauses`, which reads every expression of a request in the service's order.
"""
