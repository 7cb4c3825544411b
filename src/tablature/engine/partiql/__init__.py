"""The service's subset of PartiQL, parsed into the same conditions, updates and actions as native operations."""
