"""The operations of a database, as generators that yield effects and perform no I/O themselves."""
