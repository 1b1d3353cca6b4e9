"""Proof of a battle file: bytes, chain, signatures, draws, and every order by the rules."""
