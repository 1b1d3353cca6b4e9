"""Battles by mail: letters go out, mails come in, and what a player may do is done by mail as well.

`outgoing` writes the letters of the outbox and carries them by SMTP or into a Maildir; `incoming` takes mails in by
SMTP, LMTP or IMAP, decides whose they are and what they say; the `desk` reads commands and answers them; `checking`
tells a host what is wrong with their mail. A mail that is an act is done by `server.acts`, as on a page.
"""
