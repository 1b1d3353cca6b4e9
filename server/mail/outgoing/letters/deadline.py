"""Put a deadline into a player's calendar."""

from datetime import datetime

PRODUCT = "-//Phalera//Letters//EN"
FILE = "deadline.ics"


def calendar_of(uid: str, sequence: int, now: str, deadline: str, summary: str, description: str) -> bytes:
    """A calendar of one entry (RFC 5545, METHOD:PUBLISH). The same `uid` with a higher `sequence` moves the entry."""
    from icalendar import Calendar, Event  # a server is ready without it

    calendar, event = Calendar(), Event()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    event.add("uid", uid)
    event.add("sequence", sequence)
    event.add("dtstamp", datetime.fromisoformat(now).replace(microsecond=0))
    event.add("dtstart", datetime.fromisoformat(deadline).replace(microsecond=0))
    event.add("summary", summary)
    event.add("description", description)
    event.add("transp", "TRANSPARENT")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
