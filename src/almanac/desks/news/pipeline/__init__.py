"""The pipeline of one link: leased, fetched, read, told apart from others, written about, checked, stored at once."""
