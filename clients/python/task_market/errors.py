"""What can come of a read or a write besides its answer."""

from typing import Any


class MarketError(Exception):
    """Base of all errors of this package."""


class ReadError(MarketError):
    """An answer that is none. `status`: of HTTP; None: no answer came."""

    def __init__(self, message: str, status: int | None = None, body: Any = None):
        super().__init__(message)
        self.status = status
        self.body = body


class Refused(MarketError):
    """A write that did nothing: nothing was paid for it. `reason` and `detail`: the service's, or the client's."""

    def __init__(self, reason: str, message: str, *, detail: str | None = None, status: int | None = None):
        super().__init__(message)
        self.reason = reason
        self.detail = detail
        self.status = status
        self.key: str | None = None


class LimitExceeded(Refused):
    """The write would pay more than the client's limits allow; nothing was signed."""

    def __init__(self, message: str):
        super().__init__("limit_exceeded", message)


class OutcomeUnknown(MarketError):
    """A write that may have acted. Make the same call again: it goes on under its key, and nothing is paid twice."""

    def __init__(self, key: str, message: str):
        super().__init__(f"{message} The write goes on under its key {key}.")
        self.key = key
