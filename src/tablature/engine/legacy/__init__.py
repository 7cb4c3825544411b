"""The legacy parameters (Expected, AttributeUpdates and others), read into bound expressions."""
