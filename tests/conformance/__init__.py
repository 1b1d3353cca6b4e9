"""The public conformance suite: run an implementation of the rules on the cases, a verifier on the battle files.

`judging` compares, `running` runs a command, `__main__` is the program. These three need Python 3.11 and nothing else,
neither this project nor a package: whoever writes another implementation takes this folder and the cases.

`battles/` has battle files, honest and forged, with the verdict on each and a README; `battles`, `silences` and
`version_3` write them, with the help of the tests. `second` is a verifier that
imports nothing of this project.
"""
