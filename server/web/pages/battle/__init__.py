"""The page of a battle in parts. Each part has a struct, made from what the reader may know, and a template of its name
in `templates/battle/`."""
