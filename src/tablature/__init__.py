"""tablature: single-table design for DynamoDB, with an embedded engine; usable without Almanac."""
