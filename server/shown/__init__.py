"""What is shown of a battle to people, on pages and in letters alike."""
