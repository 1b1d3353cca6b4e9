"""What holds for all tests.

Properties are tried with the same examples in every run, however long one takes
(`pytest --hypothesis-profile=explore`: other examples each time, and more). Where a test comes to the composition
of the program, say by a command, its entropy is seeded there as well; only servers in processes of their own draw at
random.
"""

from hypothesis import settings

from server.entropy import SystemEntropy
from tests.support.entropy import entropy_of_test

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("suite")


def _seeded(self: SystemEntropy, count: int) -> bytes:
    return entropy_of_test().bytes(count)


SystemEntropy.bytes = _seeded  # type: ignore[method-assign]
