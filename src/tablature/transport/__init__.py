"""Transports to a DynamoDB-compatible service. Import the one you need from its own module."""
