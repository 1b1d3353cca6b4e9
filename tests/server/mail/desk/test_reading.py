"""Which mails hold commands, which hold orders, and what the commands say."""

import pytest

from domain.basics.spelling import plain_word
from domain.catalogue import RULESETS
from server.mail.desk.command import ALWAYS, WITH_LINES, WITH_WORDS
from server.mail.desk.commands import COMMANDS, command_of, usages
from server.mail.desk.examples import examples_of
from server.mail.desk.reading import order_in, read
from server.mail.desk.vocabulary import BATTLE
from server.play.scripts import read_script
from tests.support.looping import some

TTS = RULESETS["tts"]


def named(text: str, subject: str = "") -> list[tuple[str, ...]]:
    return [(request.name, *request.args) for request in read(text, subject)]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_example_of_the_help_is_read_as_its_command(lang: str) -> None:
    for name, examples in some(usages(lang).items()):
        for usage in examples:
            if name == "order" and usage in ("offer draw", "accept draw", "resign", "propose nulle", "accepte nulle"):
                assert read(usage) == ()  # an order of the game as it stands
                assert order_in(usage)
                continue
            found = read(f"{usage}\nwords" if usage == "message" else usage, campaign="")
            assert [request.name for request in found] == ["say" if usage == "message" else name], usage


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("code", sorted(RULESETS))
def test_every_order_of_the_help_can_be_read(code: str, lang: str) -> None:
    game = RULESETS[code]
    examples = examples_of(game, lang)
    for form in (*examples.forms, *examples.standing):
        game.orders.parse(form.example)
    assert 6 <= len(examples.forms) <= 10 and len(examples.standing) >= 3
    assert any(form in examples.forms for form in examples.standing)
    for _, lines in examples.scripts:
        script = read_script("\n".join((examples.orders[0], *lines)), game.orders.parse, senses=game.orders.senses)
        assert not script.is_plain or len(lines) > 1
    assert len(examples.scripts) == len(examples_of(None, lang).scripts) + 1  # with a policy of the game


@pytest.mark.parametrize(
    "text",
    [
        "R1 ahead\nend turn",
        "join R2",
        "rejoint R2",
        "accept draw",
        "accepte nulle",
        "standing evade R7 heavier",
        "consigne esquive R7 jamais",
        "stop after a 7",
        "phrase my own words of sixteen",
        "resign",
        "offer draw",
        "Dear Bob, list your demands",
        "",
        "   \n# a note\n",
    ],
)
def test_a_mail_that_begins_with_no_command_holds_orders(text: str) -> None:
    assert read(text, "Re: [abcdefgh] The skirmish") == ()


def test_no_order_of_the_game_is_taken_for_a_command() -> None:
    examples = [form.example for chapter in TTS.shown.help("en") for form in chapter.forms]
    french = [TTS.orders.write(TTS.orders.parse(example), "fr") for example in examples]
    assert [line for line in (*examples, *french) if read(line)] == []


def test_case_accents_and_punctuation_do_not_matter() -> None:
    for text in ("WHY 12?", "why 12", "Pourquoi 12 ?", "POURQUOI 12.", "  why   12  "):
        assert named(text) == [("why", "", "12")], text
    assert named("APERÇU\nR1 avance") == named("apercu\nR1 avance") == [("preview", "", "R1 avance")]
    assert named("réclamer") == named("RECLAMER") == [("claim", "")]


def test_several_commands_stand_one_to_a_line() -> None:
    text = "# first\n\nlist\nboard abcdefgh 30\nquiet 22-8\nwhy #12"
    assert named(text) == [("list",), ("board", "abcdefgh", "30"), ("quiet", "22-8"), ("why", "", "#12")]


def test_a_phrase_belongs_to_the_command_above_it() -> None:
    assert named("join abcdefgh\nphrase one two three") == [("join", "abcdefgh", "phrase one two three")]
    assert named("list\nphrase one two three")[1][0] == "unreadable"


def test_a_message_goes_to_its_end_and_keeps_its_lines() -> None:
    text = "message\nHello Bob,\n\n# what a turn!\nlist\nend\nlist"
    assert named(text) == [("say", "", "Hello Bob,\n\n# what a turn!\nlist"), ("list",)]
    assert named("message [abcdefgh]\nun\nfin") == [("say", "abcdefgh", "un")]
    assert named("say whatever you like") == [("say", "", "whatever you like")]


def test_a_preview_takes_all_that_follows_and_may_stand_in_the_subject() -> None:
    assert named("preview\nR1 ahead\nstop") == [("preview", "", "R1 ahead\nstop")]
    assert named("R1 ahead\nend turn", "preview") == [("preview", "", "R1 ahead\nend turn")]
    assert named("R1 ahead", "Re: [abcdefgh] Aperçu") == [("preview", "abcdefgh", "R1 ahead")]
    assert named("preview\nR1 ahead", "preview") == [("preview", "", "R1 ahead")]


def test_a_subject_counts_only_for_an_empty_mail_that_is_no_reply() -> None:
    assert named("", "Help") == [("help",)]
    assert named("", "aide ordres") == [("help", "ordres", "fr")]
    assert named("", "Re: list") == []
    assert named("R1 ahead", "list") == []


def test_short_words_become_orders() -> None:
    assert named("draw") == named("Nulle.") == [("order", "", "offer draw")]
    assert named("concede") == named("abandonner") == [("order", "", "resign")]
    assert named("list\nresign\naccept draw\nstanding evade R7 never") == [
        ("list",),
        ("order", "", "resign"),
        ("order", "", "accept draw"),
        ("order", "", "standing evade R7 never"),
    ]


def test_what_follows_commands_and_is_none_is_said_so_at_most_three_times() -> None:
    found = read("list\nThanks\nAnna\nof the club\nin Rome\nlist")
    assert [request.name for request in found] == ["list", "unreadable", "unreadable", "unreadable"]
    assert found[1].message and found[1].message.params == {"line": "Thanks", "first": True}
    assert found[2].message and found[2].message.params == {"line": "Anna"}


def test_a_mail_holds_so_many_commands() -> None:
    found = read("list\n" * 30)
    assert [request.name for request in found] == ["list"] * 20 + ["unreadable"]
    assert found[-1].message and found[-1].message.id == "desk.too-many"


def test_words_are_plain_and_mean_one_command_each() -> None:
    every = [word for command in COMMANDS.values() for word in command.words]
    assert len(every) == len(set(every))
    assert all(command_of(word) == name for name, command in COMMANDS.items() for word in command.words)
    assert [word for word in every if plain_word(word) != word] == []
    assert all(command.changes in ("", WITH_WORDS, WITH_LINES, ALWAYS) for command in COMMANDS.values())
    assert all(command.changes for command in COMMANDS.values() if command.confirmed)
    assert all({*command.usage} in (set(), {"en", "fr"}) for command in COMMANDS.values())


JUNK = ("[" * 5000, "join " + "a" * 9000, "why " + "9" * 9000, "\x00list", "say", "\u202elist", "re:" * 9000 + "list")


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_read_without_a_fault(junk: str) -> None:
    assert [request for request in read(junk, junk) if not request.name] == []


def test_the_battle_of_the_examples_looks_like_one() -> None:
    assert named(f"board [{BATTLE}]") == [("board", BATTLE)]
    assert named("board ABCDEFGH 3") == [("board", BATTLE, "3")]


def test_scripts_of_the_help_are_no_commands() -> None:
    for lang in ("en", "fr"):
        for game in RULESETS.values():
            for _, lines in examples_of(game, lang).scripts:
                assert read("\n".join(lines)) == (), lines
