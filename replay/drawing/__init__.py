"""Show a scene: as a picture, as text, in words."""
