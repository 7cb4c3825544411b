"""The embedded DynamoDB-compatible engine on SQLite: `Engine.call(operation, request) -> response`."""
