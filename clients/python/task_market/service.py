"""Requests to a service: reads with ETags, the read identity of a wallet, and the time of the chain."""

import time
from collections.abc import Mapping
from typing import Any

import httpx

from .deployment import Deployment
from .errors import ReadError
from .keys import Wallet, to_checksum
from .texts import SERVICE, read_text

HEADER = f"X-{SERVICE.capitalize()}-"
# Timeout of a request; the service answers a write within 62 seconds.
REQUEST_SECONDS = 75.0
IDENTITY_SECONDS = 3_600
# Maximum correction of this machine's clock by the service's time. A local chain, which may be moved by days, has none.
MOST_SKEW_SECONDS = 600
MOST_TAGS = 500


class Service:
    def __init__(
        self,
        base_url: str,
        deployment: Deployment,
        wallet: Wallet | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
    ):
        headers = {"Prefer": "handling=strict", "Accept": "application/json"}
        timeout = httpx.Timeout(REQUEST_SECONDS, connect=10.0)
        self.http = httpx.Client(base_url=base_url, timeout=timeout, headers=headers, transport=transport)
        self.deployment = deployment
        self.wallet = wallet
        self._skew: int | None = None
        self._identity: tuple[int, dict[str, str]] = (0, {})
        self._tagged: dict[str, tuple[str, Any]] = {}

    def now(self) -> int:
        """Returns Unix seconds by the block times of the service's answers; this machine's before the first answer."""
        if self._skew is None:
            self._skew = 0
            try:
                self._note(self.http.get("/api/health"))
            except httpx.HTTPError:
                self._skew = None
        return int(time.time()) + (self._skew or 0)

    def send(self, method: str, path: str, *, headers: Mapping[str, str], **others: Any) -> httpx.Response:
        """Sends one request. @raises httpx.HTTPError when no answer arrives"""
        response = self.http.request(method, path, headers=dict(headers), **others)
        self._note(response)
        return response

    def read(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        """Returns the JSON of a GET, as the wallet if any. An unchanged answer (ETag) returns the same object as
        before.

        @raises ReadError
        """
        given = {name: value for name, value in (query or {}).items() if value is not None}
        place = str(self.http.build_request("GET", path, params=given).url)
        tag, known = self._tagged.get(place, (None, None))
        headers = {**self.identity(), **({"If-None-Match": tag} if tag else {})}
        try:
            response = self.send("GET", path, headers=headers, params=given)
        except httpx.HTTPError as error:
            raise ReadError(f"{place} did not answer: {error!r}") from error
        if response.status_code == 304 and tag:
            return known
        body = json_of(response)
        if response.status_code != 200 or body is NO_JSON:
            message = body.get("error") if isinstance(body, dict) else "no JSON"
            raise ReadError(f"{place} answered {response.status_code}: {message}", response.status_code, body)
        if tag := response.headers.get("ETag"):
            if len(self._tagged) >= MOST_TAGS:
                self._tagged.pop(next(iter(self._tagged)))
            self._tagged[place] = (tag, body)
        return body

    def tag_of(self, path: str) -> str | None:
        """Returns the ETag of the last answer to this path, without its quotes."""
        tag, _ = self._tagged.get(str(self.http.build_request("GET", path).url), (None, None))
        return None if tag is None else tag.removeprefix("W/").strip('"')

    def identity(self) -> dict[str, str]:
        """Returns the headers of the read identity, valid for this host and an hour; empty without a wallet."""
        if self.wallet is None:
            return {}
        now, (expires, headers) = self.now(), self._identity
        if not now + 120 < expires <= now + IDENTITY_SECONDS:
            expires = now + IDENTITY_SECONDS
            host = self.http.base_url.netloc.decode()
            signature = self.wallet.sign_text(read_text(self.deployment.chain_id, host, self.wallet.address, expires))
            headers = {
                f"{HEADER}Caller-Address": to_checksum(self.wallet.address),
                f"{HEADER}Caller-Signature": signature,
                f"{HEADER}Read-Expires": str(expires),
            }
            self._identity = (expires, headers)
        return headers

    def _note(self, response: httpx.Response) -> None:
        block, age = (response.headers.get(HEADER + name, "") for name in ("Block-Timestamp", "Head-Age"))
        if block.isdecimal():
            difference = int(block) + (int(age) if age.isdecimal() else 0) - int(time.time())
            is_limited = not self.deployment.local
            self._skew = max(-MOST_SKEW_SECONDS, min(MOST_SKEW_SECONDS, difference)) if is_limited else difference


NO_JSON = object()


def json_of(response: httpx.Response) -> Any:
    """Parses an answer; `NO_JSON` when it is no JSON."""
    try:
        return response.json()
    except ValueError:
        return NO_JSON
