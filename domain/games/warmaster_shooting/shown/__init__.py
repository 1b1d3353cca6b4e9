"""What people see of a battle: the table, captions, sentences, final figures."""
