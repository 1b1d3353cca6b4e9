"""Mail, thin and true: letters out into a Maildir, replies in from a file; the rest comes later."""
