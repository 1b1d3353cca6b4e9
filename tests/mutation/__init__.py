"""Mutation testing: a fault planted in the rules must make a case fail.

`mutants` makes faults, `trial` plants them, `__main__` is the program, run by hand; docs/mutation.md shows
the results.
"""
