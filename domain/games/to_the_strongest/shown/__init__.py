"""What people see of a battle: the board, captions, sentences, final figures."""
