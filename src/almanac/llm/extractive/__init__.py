"""The writer without a model: every sentence it writes is a contiguous part of a source sentence, with a reference.

`source_parser` finds usable sentences, `cues` judges their wording, `selection` ranks and selects them; `summaries`,
`headlines`, `keywords` and `outlines` build the outputs that `almanac.llm.steps` asks for.
"""
