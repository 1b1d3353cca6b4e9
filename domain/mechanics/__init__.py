"""What several games share: chance, cards, grids, measuring, modifiers."""
