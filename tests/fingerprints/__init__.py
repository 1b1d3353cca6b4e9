"""Fingerprints of the rules: what seeded random orders come to, in each game, under each `version`.

`playing` plays and takes the digests, `kept.toml` has those of the version of today, and `python -m tests.fingerprints`
writes them. A rule that decides otherwise changes a digest; a digest changes only together with the version.
"""
