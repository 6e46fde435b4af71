"""Service in a thread for tests: answers writes as the real one does, and loses answers on request."""

import base64
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from task_market import Deployment

FORWARDER, USDC = "0x" + "f0" * 20, "0x" + "dc" * 20
TASK = "0x" + "9f" * 32
TX = "0x" + "7e" * 32


def a_deployment(**changes: Any) -> Deployment:
    names = {"name": "test", "usdc_name": "USDC", "usdc_version": "2"}
    given = {"chain_id": 31337, "market": "0x" + "aa" * 20, "forwarder": FORWARDER, "usdc": USDC, "bound": True}
    return Deployment(**{**names, **given, "identity_registry": None, "identity_registrar": None, **changes})


class FakeService(ThreadingHTTPServer):
    """A service with lost answers. `acted`: writes by key, each with the nonce of its payment. `lose` returns True: the
    write acts and its answer is lost. `drop` returns True: the request is lost before it acts.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.acted: dict[str, str] = {}
        self.bodies: dict[str, set[bytes]] = {}
        self.nonces: list[str] = []
        self.pay_to = FORWARDER
        self.price = 1000
        self.lose: Callable[[], bool] = lambda: False
        self.drop: Callable[[], bool] = lambda: False
        self.refusal: tuple[int, dict[str, Any]] | None = None
        self.reads: dict[str, Any] = {"/api/health": {"status": "ok"}}
        self.not_modified = 0
        self.streams: list[Callable[["Handler"], None]] = []
        self.stream_headers: list[dict[str, str]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    server: FakeService
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        service, key = self.server, self.headers["X-Service-Idempotency-Key"]
        service.bodies.setdefault(key, set()).add(body)
        if key in service.acted:
            return self.answer(409, failure("idempotency_key_reused", intentStatus="completed", txHash=TX))
        payment = self.headers.get("PAYMENT-SIGNATURE")
        if payment is None and service.price > 0:
            accepted = {"scheme": "exact", "network": "eip155:31337", "asset": USDC, "payTo": service.pay_to}
            required = {"x402Version": 2, "accepts": [{**accepted, "amount": str(service.price)}]}
            encoded = base64.b64encode(json.dumps(required).encode()).decode()
            return self.answer(402, required, {"PAYMENT-REQUIRED": encoded})
        if payment is not None:
            service.nonces.append(json.loads(base64.b64decode(payment))["payload"]["authorization"]["nonce"])
        if service.refusal is not None:
            return self.answer(*service.refusal)
        if service.drop():
            return self.close()
        service.acted[key] = service.nonces[-1] if service.nonces else ""
        if service.lose():
            return self.close()
        self.answer(200, {"success": True, "txHash": TX, "pitchId": TASK})

    def do_GET(self) -> None:
        service, url = self.server, urlsplit(self.path)
        if "text/event-stream" in self.headers["Accept"]:
            service.stream_headers.append(dict(self.headers))
            return service.streams.pop(0)(self) if service.streams else self.answer(503, failure("unclassified"))
        if url.path == "/api/intents":
            key = parse_qs(url.query)["idempotencyKey"][0]
            if key not in service.acted:
                return self.answer(404, failure("intent_not_found"))
            return self.answer(200, {"status": "completed", "txHash": TX, "taskId": None, "terminalReason": None})
        answer = service.reads.get(url.path)
        if callable(answer):
            answer = answer(parse_qs(url.query))
        tag = f'"{hash(json.dumps(answer))}"'
        if self.headers.get("If-None-Match") == tag:
            service.not_modified += 1
            return self.answer(304, None)
        self.answer(404 if answer is None else 200, answer, {"ETag": tag})

    def answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def close(self) -> None:
        """Closes the connection without an answer."""
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def failure(reason: str, detail: str | None = None, **facts: Any) -> dict[str, Any]:
    return {"error": f"refused: {reason}", "service": {"reason": reason, "detail": detail, **facts}}
