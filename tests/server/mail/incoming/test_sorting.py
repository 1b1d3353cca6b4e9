"""Orders, words and prose of a reply are told apart."""

import pytest

from domain.catalogue import RULESETS
from domain.scripts.likeness import looks_like_order, meant, names_in, vocabulary
from server.mail.incoming.sorting import MOST_MENDED, SortedReply, sorted_reply
from server.mail.numbering import ListedOrders

TTS = RULESETS["tts"]
LISTED = ("R1 ahead", "R2 ahead", "R4 ahead", "R5 charge C5", "corps II", "end turn")
WORDS, NAMES = vocabulary(TTS), names_in(LISTED)


def sort(text: str) -> SortedReply:
    return sorted_reply(text, TTS, ListedOrders(LISTED))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("1 2 4 end", "R1 ahead\nR2 ahead\nR5 charge C5\nend turn"),
        ("1, 2 and 4; end turn", "R1 ahead\nR2 ahead\nR5 charge C5\nend turn"),
        ("#1\n#2\nend turn", "R1 ahead\nR2 ahead\nend turn"),
        ("1\n3\n6", "R1 ahead\nR4 ahead\nend turn"),
        ("4.", "R5 charge C5"),
        ("1 (to the hill!)\n6 (and wait)", "R1 ahead\nend turn"),
        ("1 fin", "R1 ahead\nend turn"),
        ("phrase nine geese\n\n1\n6", "phrase nine geese\n\nR1 ahead\nend turn"),
        ("4 R5 charge C5\n6 end turn", "R5 charge C5\nend turn"),
        ("1. R4 ahead\n2. R1 ahead\n3. end turn", "1. R4 ahead\n2. R1 ahead\n3. end turn"),  # a list of their own
    ],
)
def test_numbers_of_the_letter(text: str, orders: str) -> None:
    assert sort(text) == SortedReply(orders)


def test_a_unit_called_n_is_no_number() -> None:
    assert sort("Hi\nN6 turn left\nN 6 turn left").orders == "N6 turn left\nN 6 turn left"


@pytest.mark.parametrize("text", ["99 end", "4 16 37 end", "7"])
def test_a_number_that_the_letter_does_not_have(text: str) -> None:
    assert sort(text).unknown == (text,)


@pytest.mark.parametrize("number", ["06 12 34 56 78", "+33 6 12 34 56", "555 1234", "75011 Paris", "12 3", "10:30"])
def test_the_numbers_of_a_signature_are_no_orders(number: str) -> None:
    assert sort(f"1 end\nCheers,\nAnna\n{number}") == SortedReply(
        "R1 ahead\nend turn", left_out=("Cheers,", "Anna", number)
    )


def test_a_name_that_nobody_has_is_a_slip_for_one_alone() -> None:
    letter = ListedOrders(LISTED, names=("R1", "R2", "R4", "R5", "R12"))
    found = sorted_reply("Hi\nR21 ahead\nR3 ahead\nend turn", TTS, letter)
    assert found.orders == "R12 ahead\nR3 ahead"  # for R3 the answer says that there is none
    assert found.waiting == "end turn"  # R21 may have been R1 or R2
    assert found.mended == (("R21 ahead", "R12 ahead"),)
    assert sorted_reply("R21 ahead\nend turn", TTS, letter).orders == "R12 ahead"


def test_prose_is_left_out_wherever_it_stands() -> None:
    found = sort("Hi Bob!\nWhat a day.\n\nR1 ahead\nthat will hurt\nend turn\n\nBest,\nAnna")
    assert found.orders == "R1 ahead\nend turn"
    assert found.left_out == ("Hi Bob!", "What a day.", "that will hurt", "Best,", "Anna")
    assert found.above == "Hi Bob!\nWhat a day."


@pytest.mark.parametrize(
    ("text", "orders", "words"),
    [
        ("say Hello!\nR1 ahead\nend turn", "R1 ahead\nend turn", "Hello!"),
        ("say Hello\nthere\n\nR1 ahead", "R1 ahead", "Hello\nthere"),
        ("R1 ahead\n\nsay thanks\nfor all", "R1 ahead", "thanks\nfor all"),
        ("message\nOne.\n\nTwo.\nend\nR1 ahead", "R1 ahead", "One.\n\nTwo."),
        ("dire Bonjour\n1 fin", "R1 ahead\nend turn", "Bonjour"),
    ],
)
def test_words_for_the_other_player(text: str, orders: str, words: str) -> None:
    found = sort(text)
    assert (found.orders, found.words) == (orders, words)


def test_a_script_among_prose_stays_whole() -> None:
    script = (
        "R1 ahead\nif it fails: R2 ahead\nelse: end turn\nif R2 at C4\nR2 ahead\nelse\nR4 ahead\nend if\nstop after a 7"
    )
    found = sort(f"Hello\n{script}\nBye")
    assert (found.orders, found.left_out) == (script, ("Hello", "Bye"))


@pytest.mark.parametrize(
    "line",
    [
        *("R1 ahaed", "R1ahead", "r1 aehad", "edn turn", "end trun", "endturn", "R1 chareg C5", "R99 ahead", "R1"),
        *(
            "an R1 ahead",
            "doen",
            "corps 2",
            "group R1 R2 ahed",
            "if it fails: R3 ahed",
            "on replay yes",
            "shoot R1 at N1",
        ),
        *("repaet R1 ahead until it fails", "standing evade R5 hevier"),
    ],
)
def test_what_looks_like_an_order(line: str) -> None:
    assert looks_like_order(line, WORDS, NAMES)
    sorted_ = sort(f"{line}\nend turn")
    assert line in sorted_.orders or line in dict(sorted_.mended)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Hi Bob!",
            "Cheers, Anna",
            "Anna",
            "Joan",
            "-Abhishek",
            "Mvh, Anders",
            "Well done!",
            "Nice move, Bob!",
            "Yes",
        ),
        *("If you like, we can play again on Monday", "On Monday I am away", "End of story.", "Play well!", "See you"),
        *("General Smith", "Best regards", "Jean-Pierre", "Sent from a magnificent torch", "Le général arrive", "A+"),
        *("I hope R5 will not charge again, it was a hard fight for us all", "Tel. +33 6 12 34 56 78", "No hurry"),
        *(
            "This e-mail and any attachments are confidential.",
            "Group Leader, Acme Ltd",
            "Cheers 🎉 Sarah",
            "Stop it :)",
        ),
        *(
            "Return soon",
            "Done deal",
            "Repeat after me",
            "That was close at R5!",
            "Try this one :)",
            "/Anders",
            "LG",
            "J.",
        ),
    ],
)
def test_prose(line: str) -> None:
    assert not looks_like_order(line, WORDS, NAMES)


@pytest.mark.parametrize(
    ("line", "order"),
    [("R1 ahaed", "R1 ahead"), ("edn turn", "end turn"), ("R5 chareg C5", "R5 charge C5"), ("something else", "")],
)
def test_what_was_meant(line: str, order: str) -> None:
    assert meant(line, LISTED) == order


def test_a_slip_that_can_mean_one_order_is_that_order() -> None:
    sorted_ = sort("R1 ahaed\nR2 ahead\nedn turn")
    assert sorted_.orders == "R1 ahead\nR2 ahead\nend turn"
    assert sorted_.mended == (("R1 ahaed", "R1 ahead"), ("edn turn", "end turn"))


def test_so_many_lines_are_searched_for_a_slip_and_no_more() -> None:
    sorted_ = sort("\n".join(["R1 ahaed"] * (MOST_MENDED + 1)))
    assert len(sorted_.mended) == MOST_MENDED
    assert sorted_.orders.split("\n")[-1] == "R1 ahaed"


def test_small_words_among_numbers() -> None:
    assert sort("first 1, and then 2 please").orders == "\n".join(LISTED[:2])
    assert sort("R1 ahead\n2 moves").orders == "R1 ahead"  # prose


@pytest.mark.parametrize("word", ["usual", "Usual.", "- usual", "usuelles"])
def test_usual_stands_for_the_standing_orders_of_the_letter(word: str) -> None:
    letter = ListedOrders(LISTED, ("standing evade all heavier", "standing join R1 R2"))
    sorted_ = sorted_reply(f"{word}\nR1 ahead", TTS, letter)
    assert sorted_.orders == "standing evade all heavier\nstanding join R1 R2\nR1 ahead"
    assert [order for _, order in sorted_.mended] == list(letter.usual)
    assert sort(word).orders == ""  # a letter that offers none


@pytest.mark.parametrize("line", ["G1 join R5", "G1: join R5", "g1 join r5"])
def test_an_order_copied_with_the_name_of_the_one_it_is_for(line: str) -> None:
    letter = ListedOrders(("join R5", "join none"), names=("G1", "R5"))
    assert sorted_reply(f"Hi\n{line}\nAnna", TTS, letter).orders == "join R5"
    assert sorted_reply("G1 join R6", TTS, letter).orders != "join R6"
