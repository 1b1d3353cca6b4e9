"""The command `phalera`."""
