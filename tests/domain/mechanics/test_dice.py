"""How often a die reaches what it must, special dice included."""

from domain.mechanics.dice import D6, faces_at_least, special


def test_a_plain_die_counts_its_faces():
    assert (faces_at_least(D6, 4), faces_at_least(D6, 7)) == (3, 0)


def test_a_special_die_counts_what_its_faces_are_worth():
    loot = special(1, 2, 3, 3, 4, 5)
    assert (loot.sides, faces_at_least(loot, 3)) == (6, 4)
