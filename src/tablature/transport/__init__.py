"""Ways to reach a DynamoDB-compatible service; import the one you need by its own module."""
