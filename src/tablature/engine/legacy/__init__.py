"""The parameters from before expressions (Expected, AttributeUpdates and kin), read into the same clauses."""
