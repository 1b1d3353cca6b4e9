"""What a store with very many campaigns costs: memory and time of a start, and of a list of them.

    python -m benchmarks.many_campaigns [--campaigns 10000]

Stores with a hundredth, a tenth and all of the campaigns, each a cup of four that has begun; the steward has opened its
battles in no store, so that the campaigns alone are measured. A start is `phalera serve`'s own assembly in a process of
its own, up to the first look of the steward; the lists are asked for over HTTP, the median of eleven.
"""

ASKED = 11
CUP = """
campaign = "cup"
title = "Cup {number}"
ruleset = "tts"
[cup]
system = "swiss"
rounds = 2
[battle]
scenario = "skirmish"
"""
