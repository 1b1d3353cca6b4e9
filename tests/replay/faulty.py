"""What a verification says of a battle made by hand."""

from msgspec.structs import replace

from replay.proof.verify import Report, verify
from tests.replay.made_battle import MadeBattle


def report_of(made: MadeBattle) -> Report:
    """The report on its file, signed by its host."""
    return verify(made.file())


def fault_of(made: MadeBattle) -> tuple[str, int]:
    """The kind and the event of its first fault; ("", 0) if it has none."""
    fault = report_of(made).fault
    return (fault.what, fault.n) if fault is not None else ("", 0)


def assert_right(made: MadeBattle) -> Report:
    """The report of a battle without a fault."""
    report = report_of(made)
    assert report.fault is None, report.fault
    return replace(report)
