"""What a server counts of itself, as Prometheus reads it.

Requests and lag are counted here, cheaply; everything else is read where it is when somebody asks.
"""

import asyncio
import shutil
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Sized
from pathlib import Path
from typing import Any

from domain.basics.pace import moment_of
from server.release import commit, release
from server.running import Server
from server.store.tables import complaints, deliveries, webhooks
from server.upkeep.schedule import newest

RESULTS = ("delivered", "failed", "off")
"""What may come of telling a webhook something."""
LAG_EVERY_S = 0.5
REQUEST_BUCKETS_S = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAG_BUCKETS_S = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class Durations:
    """A histogram of durations in seconds for each set of labels."""

    def __init__(self, name: str, told: str, labels: Sequence[str], bounds_s: Sequence[float]) -> None:
        self.name, self.told, self.labels = name, told, tuple(labels)
        self._bounds_s = tuple(bounds_s)
        self._counted: dict[tuple[str, ...], list[int]] = {}
        self._total_s: dict[tuple[str, ...], float] = {}

    def observe(self, labels: tuple[str, ...], took_s: float) -> None:
        """Count one duration."""
        counted = self._counted.get(labels)
        if counted is None:
            counted = self._counted[labels] = [0] * (len(self._bounds_s) + 1)
        counted[bisect_left(self._bounds_s, took_s)] += 1
        self._total_s[labels] = self._total_s.get(labels, 0.0) + took_s

    def family(self) -> Any:
        """The histogram as the client library has it."""
        from prometheus_client.core import HistogramMetricFamily

        family = HistogramMetricFamily(self.name, self.told, labels=self.labels)
        for labels, counted in self._counted.items():
            below, buckets = 0, []
            for bound, count in zip((*map(str, self._bounds_s), "+Inf"), counted, strict=True):
                below += count
                buckets.append((bound, below))
            family.add_metric(labels, buckets, self._total_s[labels])
        return family


class Metrics:
    """The figures of one server; a collector for a registry of the client library. `streams` and `connections` count
    the open ones; `refusals` are counted by their code, `limits` gives the families of the limits."""

    def __init__(
        self,
        server: Server,
        streams: Callable[[], int],
        connections: Callable[[], int],
        limits: Callable[[], Iterator[Any]] = lambda: iter(()),
        banned: Sized = (),
    ) -> None:
        self.requests = Durations(
            "phalera_request_seconds", "Answers by route and status.", ("method", "route", "status"), REQUEST_BUCKETS_S
        )
        self.lag = Durations("phalera_loop_lag_seconds", "How late the event loop is.", (), LAG_BUCKETS_S)
        self._server = server
        self._streams = streams
        self._connections = connections
        self._limits = limits
        self._banned = banned
        self.refusals: Counter[str] = Counter()
        self.hidden: Callable[[], bool] = bool  # whether a proxy hides all clients (server.web.networks)
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to measure the lag of the loop."""
        self._watch = asyncio.ensure_future(self._measure())

    async def stop(self) -> None:
        """End that."""
        if self._watch is not None:
            self._watch.cancel()

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_EVERY_S
            await asyncio.sleep(LAG_EVERY_S)
            self.lag.observe((), max(0.0, loop.time() - due))

    def text(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        ProcessCollector(registry=registry)
        return generate_latest(registry)

    def collect(self) -> Iterator[Any]:
        """The families of figures, for a registry."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily

        server = self._server
        counts, store = server.store.counts, server.store
        letters = deliveries.backlog(store)
        age_s = (moment_of(server.clock.now()) - moment_of(letters.oldest)) / 1000 if letters.oldest else 0.0
        for name, told, value in (
            ("events", "Events committed since the start.", counts.events),
            ("commits", "Transactions of the store.", counts.batches),
            ("store_jobs", "Jobs given to the store.", counts.jobs),
            ("store_failures", "Jobs that the database refused.", counts.failed),
        ):
            yield CounterMetricFamily(f"phalera_{name}", told, value)
        gauges: tuple[tuple[str, str, float], ...] = (
            ("store_waiting", "Jobs that wait for the store.", store.waiting),
            ("position", "Last event of all battles.", store.position()),
            ("tables", "Battles in memory.", len(server.battles.live())),
            ("tables_bytes", "Memory that they take, about.", server.battles.size),
            ("streams", "Open event streams.", self._streams()),
            ("connections", "Open connections.", self._connections()),
            ("banned_networks", "Networks from which nobody is answered.", len(self._banned)),
            ("complaints_open", "Reports of players that nobody has settled.", complaints.count_open(store)),
            ("bots_playing", "Battles in which a bot is at work.", server.bots.playing),
            ("outbox_letters", "Letters that have not left.", letters.waiting),
            ("outbox_oldest_seconds", "Age of the oldest letter that has not left.", max(0.0, age_s)),
            ("clients_hidden", "1 if a proxy that is not trusted hides all clients behind its address.", self.hidden()),
            ("witness_late_seconds", "For how long a witness has not signed what is new.", server.witness.late_s),
            ("disk_free_bytes", "Free space where the data are.", shutil.disk_usage(server.settings.data).free),
        )
        for name, told, figure in (*gauges, *self._of_the_clock(), *self._now_and_then()):
            yield GaugeMetricFamily(f"phalera_{name}", told, figure)
        refusals = CounterMetricFamily(
            "phalera_refusals", "Requests refused, by the code of the problem.", labels=["code"]
        )
        for code, count in self.refusals.items():
            refusals.add_metric([code], count)
        yield refusals
        yield from self._of_webhooks()
        yield from self._limits()
        yield InfoMetricFamily("phalera", "The build that runs.", {"version": release(), "commit": commit()})
        yield self.requests.family()
        yield self.lag.family()

    def _of_webhooks(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        told = CounterMetricFamily(
            "phalera_webhook_deliveries", "What came of telling webhooks: delivered, failed, off.", labels=["result"]
        )
        for result in RESULTS:
            told.add_metric([result], self._server.webhook_results[result])
        yield told
        count = webhooks.census(self._server.store)
        for name, what, figure in (
            ("webhooks", "Webhooks that there are.", count.all),
            ("webhooks_failing", "Webhooks that have failed, and are tried again.", count.failing),
            ("webhooks_off", "Webhooks that are switched off.", count.off),
            ("webhooks_waiting", "What webhooks are yet to be told.", count.waiting),
        ):
            yield GaugeMetricFamily(f"phalera_{name}", what, figure)

    def _of_the_clock(self) -> Iterator[tuple[str, str, float]]:
        clock = self._server.clock
        yield "clock_parted_seconds", "How far the clock is ahead of what was counted since.", clock.off_ms / 1000
        yield "clock_doubted", "1 while the clock cannot be believed and no flag falls.", float(clock.doubt is not None)

    def _now_and_then(self) -> Iterator[tuple[str, str, float]]:
        """Figures that not every server has."""
        settings = self._server.settings
        if settings.log.is_file():
            yield "store_bytes", "The size of the store's file.", settings.log.stat().st_size
        proofs = self._server.proofs
        if proofs is not None:
            yield "proof_behind", "Events of own battles that are not verified yet.", proofs.behind
            yield "proof_faults", "Own battles that cannot be proven.", proofs.faulty
        behind = self._server.behind()
        if behind is not None:
            yield "read_models_behind", "Events that the lists have not seen.", behind
        if settings.backup_to:
            made = newest(Path(settings.backup_to))
            age_s = (moment_of(self._server.clock.now()) - (moment_of(made) if made else 0)) / 1000
            yield (
                "backup_age_seconds",
                "Age of the newest scheduled backup; since 1970 if there is none.",
                age_s,
            )
