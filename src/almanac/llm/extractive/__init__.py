"""The writer without a model: every sentence it writes is a contiguous part of a sentence of a source, with its place.

`reading` sees what a source offers, `ranking` weighs it, `selection` chooses without repeating; the other modules make
the forms that the steps ask for. Which step asks for what is left to `almanac.llm.steps`.
"""
