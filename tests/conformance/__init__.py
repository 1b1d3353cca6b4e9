"""The public conformance suite: run an implementation of the rules on the cases.

`judging` compares, `running` runs a command, `__main__` is the program. All three need Python 3.11 and nothing else,
neither this project nor a package: whoever writes another implementation takes this folder and the cases.
"""
