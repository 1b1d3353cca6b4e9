"""Check a file of version 1 by the protocol of its time, PBEM-1 (docs/decisions/0033-old-battles.md).

No release writes such files any more. What PBEM-1 promised is checked as its own verifier did: the arithmetic below
has its tags, and the events are those of then.
"""
