"""The rows of the table of commands, by what they are about: `server.mail.desk.commands` joins them."""
