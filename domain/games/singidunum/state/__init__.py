"""What a battle of Singidunum remembers, and how a scenario file becomes it."""
