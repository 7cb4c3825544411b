"""What a claim states about its facts: negation, antonyms, certainty, order in time, and which fact belongs to what."""
