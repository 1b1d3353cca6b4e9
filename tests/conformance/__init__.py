"""The public conformance suite: does an implementation of the rules do what the cases say?

`judging` compares, `running` runs a command, `__main__` is the program. All three need Python 3.11 and nothing else,
neither this project nor a package: whoever writes another implementation takes this folder and the cases.
"""
