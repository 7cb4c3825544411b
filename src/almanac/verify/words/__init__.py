"""Words of a sentence by language, with the forms in which a source may say the same."""
