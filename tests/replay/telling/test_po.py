"""The reader of `.po` files: texts, plural forms, and an error for everything that ours do not have."""

import pytest

from replay.telling.words.po import BadCatalogue, read_po

HEAD = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'


def test_texts_of_several_lines_with_escapes():
    read = read_po(HEAD + '\n# a note\nmsgid "a.b"\nmsgstr ""\n"one \\"two\\" "\n"\\\\ three\\n"\n')
    assert read.texts == {"a.b": ('one "two" \\ three\n',)}


def test_each_plural_form_has_its_text_by_the_rule_of_the_language():
    read = read_po(HEAD + 'msgid "#hit"\nmsgid_plural "#hit"\nmsgstr[0] "{} coup"\nmsgstr[1] "{} coups"\n')
    assert [read.texts["#hit"][read.form(number)] for number in (0, 1, 2)] == ["{} coup", "{} coup", "{} coups"]
    assert [read_po("").form(number) for number in (0, 1, 2)] == [1, 0, 1]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', "a: twice"),
        ('msgid "a"\nmsgstr ""\n', "a: without a text"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', "a: without a text"),
        ('msgstr "a"\n', "before the first msgid"),
        ('#, fuzzy\nmsgid "a"\nmsgstr "b"\n', "line 1: #, fuzzy"),
        ('msgctxt "x"\n', "line 1: msgctxt"),
        ('msgid "a"\nmsgstr "b\\q"\n', "line 2: "),
        ('"a"\n', 'line 1: "a"'),
    ],
)
def test_what_ours_do_not_have_is_an_error(source, said):
    with pytest.raises(BadCatalogue, match=said):
        read_po(source)
