"""What holds for all tests: properties are tried with the same examples in every run, however long one takes.

pytest --hypothesis-profile=explore    other examples in each run, and more of them
"""

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("suite")
