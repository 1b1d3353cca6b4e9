"""How a battle is shown: what a case may check, the scene, the sentences."""
