"""The Merkle log of a host, and the witnesses of logs (docs/witnesses.md)."""
