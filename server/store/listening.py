"""The library's subscriptions over a log that this process writes past the library's recorder."""

import threading
from collections.abc import Sequence
from typing import Any

from eventsourcing import persistence


class WokenRecorder(persistence.ApplicationRecorder):
    """A recorder whose subscriptions are told of commits by `wake`; to be inherited beside one of the library's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._listeners: set[threading.Event] = set()

    def convert_originator_id(self, originator_id: str) -> str:
        """Battle ids are text, whatever the environment says."""
        return originator_id

    def wake(self) -> None:
        """Notify the subscriptions of a commit."""
        for listener in tuple(self._listeners):
            listener.set()

    def listen(self, listener: threading.Event) -> None:
        """Set `listener` after each commit of this process."""
        self._listeners.add(listener)

    def unlisten(self, listener: threading.Event) -> None:
        """Stop setting `listener`."""
        self._listeners.discard(listener)

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> persistence.Subscription[persistence.ApplicationRecorder]:
        """All notifications after position `gt`, then each new one as this process commits it."""
        return LogSubscription(recorder=self, gt=gt, topics=topics)


class LogSubscription(persistence.ListenNotifySubscription[WokenRecorder]):
    """The library's subscription, woken by our writer."""

    def __init__(self, recorder: WokenRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        recorder.listen(self._has_been_notified)
        # the base class begins to pull before we listen: a commit in between would wait for the next one
        self._has_been_notified.set()

    def stop(self) -> None:
        """End the iteration."""
        super().stop()
        self._recorder.unlisten(self._has_been_notified)
