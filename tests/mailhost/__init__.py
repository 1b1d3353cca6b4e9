"""Real mail programs on loopback, for the tests: a private Postfix and Dovecot, people at mutt, swaks and s-nail.

Nothing here knows Phalera's insides: `phalera.py` starts it as a process like any other.
"""
