"""The parliaments that the desk reads: each is a value with its names, its language and its rules of procedure.

`registry` lists them. The National Diet is read by `model.facts`; every other one by the readers here, which follow the
phrases of its grammar.
"""
