"""The service's subset of PartiQL, read into the same conditions, updates and actions as the native operations."""
