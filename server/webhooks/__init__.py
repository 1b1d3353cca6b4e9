"""Webhooks: tell other programs, over HTTPS, what their owners want told."""
