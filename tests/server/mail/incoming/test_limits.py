"""How much mail may come, and when more may."""

import pytest

from replay.writing.clock import later
from server.mail.incoming import limits
from server.mail.incoming.limits import RecentMail

AT = "2026-01-01T12:00:00.000Z"


def burst(made, key, count, at=AT):
    return sum(made.allow(key, at) for _ in range(count))


@pytest.mark.parametrize(
    ("key", "most", "seconds"),
    [
        ("whole", 50, 60),
        ("sender:a@x.test", 10, 60),
        ("token:abc", 10, 60),
        ("answer:a@x.test", 20, 86400),
        ("over:abc", 4, 3600),
    ],
)
def test_a_window_lets_so_many_through_and_more_when_it_has_slid_on(key, most, seconds):
    made = RecentMail()
    assert burst(made, key, most + 5) == most
    assert not made.allow(key, later(AT, seconds - 1))
    assert made.allow(key, later(AT, seconds))


@pytest.mark.slow
def test_the_longer_windows_hold_too():
    made = RecentMail()
    taken = [burst(made, "whole", 60, later(AT, 60 * minute)) for minute in range(60)]
    assert taken[:3] == [50, 50, 20]  # 120 in five minutes
    assert sum(taken) == 600
    sender = [burst(made, "sender:a", 20, later(AT, 60 * minute)) for minute in range(60)]
    assert sum(sender) == 60


def test_a_window_slides_and_does_not_start_anew():
    made = RecentMail()
    assert burst(made, "sender:a", 5, AT) == 5
    assert burst(made, "sender:a", 20, later(AT, 30)) == 5
    assert burst(made, "sender:a", 20, later(AT, 61)) == 5


def test_one_sender_is_not_limited_for_another():
    made = RecentMail()
    burst(made, "sender:a", 20)
    assert made.allow("sender:b", AT)


def test_what_is_refused_under_one_key_is_counted_under_none():
    made = RecentMail()
    burst(made, "sender:a", 10)
    for _ in range(60):
        assert not made.allow_all(("whole", "sender:a"), AT)
    assert burst(made, "whole", 60) == 50


def test_a_key_of_no_known_kind_is_a_fault():
    with pytest.raises(KeyError):
        RecentMail().allow("other:a", AT)


def test_what_is_long_past_is_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "KEYS_KEPT", 10)
    made = RecentMail()
    for number in range(30):
        made.allow(f"sender:{number}", later(AT, number))
    made.allow("sender:last", later(AT, 7200))
    assert len(made._seen) == 1
