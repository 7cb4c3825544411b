"""The service's expression language: conditions, filters, key conditions, projections and updates.

Operations use `validation.request_expressions`, which reads every expression of a request in the service's order.
"""
