"""Read a mail: what its bytes alone say, before anyone asks who may say it.

One pure function, `read_mail`. It never raises, whatever it is given, and takes at most a second for any mail of
1 MiB: the bytes are counted before anything parses them (`caps`). The site of the docs (`python -m
tests.docs_site`) has a page of hostile and odd mails, and how each is handled.

    head       the header fields, and what they say: sender, tokens, heads
    machine    was it made by a machine, and which? vacation, bounce: two kinds of it
    parts      which part of it did its writer write? html: the same where there is only HTML
    reply      which of these lines are the sender's own, and not quoted? folding: as a keyboard would have written them
    trust      is the sender proven? signature: by a DKIM signature of our own reading
"""

from server.mail.incoming.reading.mail import read_mail

__all__ = ["read_mail"]
