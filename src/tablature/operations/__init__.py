"""What can be asked of a database, as generators that yield requests and never perform I/O themselves."""
