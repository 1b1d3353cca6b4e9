"""When a player wants a letter."""

import pytest

from server.mail.outgoing.preferences import NEVER, due, quiet_hours
from server.shown.moments import zone_of
from server.store.tables.correspondents import Correspondent

PARIS, YORK, KIRITIMATI = "Europe/Paris", "America/New_York", "Pacific/Kiritimati"
NOON = "2026-11-20T12:00:00.000Z"
KINDS = (
    *("turn", "decision", "contribution", "end", "joined", "say:17", "reminder:24h:9", "flag:south"),
    *("absence:begun:south", "pause:asked:north", "digest"),
)


def wishes(**more) -> Correspondent:
    return Correspondent("p", **more)


def when(kind, now, created="", **more):
    return due(kind, wishes(**more), created or now, now)


@pytest.mark.parametrize("kind", [*KINDS, "answer:00", "confirm:x"])
def test_at_once_unless_he_wishes_otherwise(kind):
    assert when(kind, NOON) == ""


@pytest.mark.parametrize("more", [{"stopped": "bounced"}, {"stopped": "unsubscribed"}, {"delivery": "none"}])
def test_who_wants_none_gets_only_answers(more):
    assert {when(kind, NOON, **more) for kind in KINDS} == {NEVER}
    assert when("answer:00", NOON, **more) == when("confirm:x", NOON, **more) == ""


def test_urgent_is_what_asks_for_something():
    urgent = {kind for kind in KINDS if when(kind, NOON, delivery="urgent") == ""}
    assert urgent == {
        *("turn", "decision", "contribution", "reminder:24h:9", "flag:south", "pause:asked:north"),
    }


# --- quiet hours


@pytest.mark.parametrize(
    ("quiet", "now", "until"),
    [
        ("22-8", "2026-11-20T20:59:59.000Z", ""),
        ("22-8", "2026-11-20T21:00:00.000Z", "2026-11-21T07:00:00.000Z"),
        ("22-8", "2026-11-21T06:59:59.999Z", "2026-11-21T07:00:00.000Z"),
        ("22-8", "2026-11-21T07:00:00.000Z", ""),
        ("9-17", "2026-11-20T12:00:00.000Z", "2026-11-20T16:00:00.000Z"),
        ("0-24", "2026-11-20T12:00:00.000Z", ""),
        ("", "2026-11-20T23:00:00.000Z", ""),
        ("nonsense", "2026-11-20T23:00:00.000Z", ""),
    ],
)
def test_quiet_hours_are_those_of_his_zone(quiet, now, until):
    assert when("turn", now, zone=PARIS, quiet=quiet) == until
    assert when("answer:00", now, zone=PARIS, quiet=quiet) == ""


@pytest.mark.parametrize(
    ("quiet", "now", "until"),
    [
        # on 29 March 2026 clocks in Paris go from 2:00 to 3:00, at 1:00 UTC
        ("22-8", "2026-03-28T21:30:00.000Z", "2026-03-29T06:00:00.000Z"),
        ("22-2", "2026-03-28T23:30:00.000Z", "2026-03-29T01:00:00.000Z"),  # 2:00 never comes
        ("22-3", "2026-03-29T00:30:00.000Z", "2026-03-29T01:00:00.000Z"),
        ("22-2", "2026-03-29T01:00:00.000Z", ""),
        # on 25 October 2026 they go from 3:00 back to 2:00, at 1:00 UTC
        ("22-8", "2026-10-24T21:30:00.000Z", "2026-10-25T07:00:00.000Z"),
        ("22-2", "2026-10-24T22:30:00.000Z", "2026-10-25T00:00:00.000Z"),  # the first 2:00
        ("22-2", "2026-10-25T01:30:00.000Z", ""),  # the second
        ("22-3", "2026-10-25T01:30:00.000Z", "2026-10-25T02:00:00.000Z"),
    ],
)
def test_quiet_hours_when_clocks_are_changed(quiet, now, until):
    assert when("turn", now, zone=PARIS, quiet=quiet) == until


def test_waiting_ends():
    """Asked again when it said so, a letter goes."""
    for zone in (PARIS, YORK, KIRITIMATI, "Australia/Lord_Howe", "UTC"):
        for month in range(1, 13):
            for hour in range(24):
                now = f"2026-{month:02}-25T{hour:02}:30:00.000Z"
                for more in ({"quiet": "22-8"}, {"quiet": "2-3"}, {"delivery": "digest", "quiet": "17-19"}):
                    until = when("turn", now, zone=zone, **more)
                    assert until == "" or until > now
                    assert when("turn", until or now, created=now, zone=zone, **more) == ""


# --- the digest


@pytest.mark.parametrize(
    ("zone", "created", "until"),
    [
        (PARIS, "2026-11-20T16:59:00.000Z", "2026-11-20T17:00:00.000Z"),
        (PARIS, "2026-11-20T17:00:00.000Z", ""),
        (PARIS, "2026-11-20T17:00:01.000Z", "2026-11-21T17:00:00.000Z"),
        (PARIS, "2026-03-28T18:00:00.000Z", "2026-03-29T16:00:00.000Z"),  # summer time has begun
        (PARIS, "2026-10-24T17:00:00.000Z", "2026-10-25T17:00:00.000Z"),
        (YORK, "2026-11-20T12:00:00.000Z", "2026-11-20T23:00:00.000Z"),
        (KIRITIMATI, "2026-11-20T12:00:00.000Z", "2026-11-21T04:00:00.000Z"),
        ("No/Where", "2026-11-20T12:00:00.000Z", "2026-11-20T18:00:00.000Z"),
    ],
)
def test_the_digest_goes_at_six_in_the_evening(zone, created, until):
    assert when("turn", created, zone=zone, delivery="digest") == until


def test_what_waited_goes_whenever_it_is_asked_after_six():
    later = "2026-11-21T03:00:00.000Z"
    assert when("turn", later, created=NOON, zone=PARIS, delivery="digest") == ""


def test_warnings_of_the_clock_do_not_wait_for_the_digest():
    assert when("reminder:2h:9", NOON, delivery="digest") == ""
    assert when("flag:south", NOON, delivery="digest") == ""
    assert when("say:1", NOON, delivery="digest") != ""


def test_a_digest_in_quiet_hours_waits_for_their_end():
    assert when("turn", NOON, zone=PARIS, delivery="digest", quiet="17-20") == "2026-11-20T19:00:00.000Z"


@pytest.mark.parametrize(
    ("written", "hours"),
    [("22-8", (22, 8)), ("0-6", (0, 6)), ("23-24", (23, 0)), ("8-8", None), ("", None), ("x-3", None), ("1-2-3", None)],
)
def test_quiet_hours_as_they_are_written(written, hours):
    assert quiet_hours(written) == hours


def test_a_zone_that_nobody_knows_is_utc():
    assert str(zone_of("../etc/passwd")) == str(zone_of("")) == str(zone_of("Mars/Olympus")) == "UTC"
