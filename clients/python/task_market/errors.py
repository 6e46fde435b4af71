"""Errors of reads and writes."""

from typing import Any


class MarketError(Exception):
    """Base of all errors of this package."""


class ReadError(MarketError):
    """A read without a valid answer. `status`: HTTP status; None: no answer arrived."""

    def __init__(self, message: str, status: int | None = None, body: Any = None):
        super().__init__(message)
        self.status = status
        self.body = body


class Refused(MarketError):
    """A write that had no effect and cost nothing. `reason` and `detail`: of the service or of the client."""

    def __init__(self, reason: str, message: str, *, detail: str | None = None, status: int | None = None):
        super().__init__(message)
        self.reason = reason
        self.detail = detail
        self.status = status
        self.key: str | None = None


class LimitExceeded(Refused):
    """A write that would exceed the client's limits; nothing was signed."""

    def __init__(self, message: str):
        super().__init__("limit_exceeded", message)


class OutcomeUnknown(MarketError):
    """A write that may have acted. Make the same call again: it continues under its key and never pays twice."""

    def __init__(self, key: str, message: str):
        super().__init__(f"{message} The write goes on under its key {key}.")
        self.key = key
