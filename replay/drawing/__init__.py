"""How is a scene shown: as a picture, as text, in words?"""
