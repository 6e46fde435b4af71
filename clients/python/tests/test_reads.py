"""Tests of reads with ETags, and of the log of changes by streams and pages."""

import itertools
import json
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from task_market import Market, ReadError, Wallet, load_deployment
from task_market.service import Service

from fake_service import TASK, FakeService, Handler, a_deployment


def an_event(number: int) -> dict[str, Any]:
    return {"id": f"aa-{number}", "kind": "task.created", "block": {"number": number}, "data": {}}


def a_stream(*numbers: int, position: int | None = None) -> Callable[[Handler], None]:
    def send(handler: Handler) -> None:
        handler.begin_stream()
        for number in numbers:
            event = an_event(number)
            text = f": comment\nid: {event['id']}\nevent: {event['kind']}\ndata: {json.dumps(event)}\n\n"
            handler.wfile.write(text.encode())
        if position is not None:
            place = json.dumps({"next": f"aa-{position}", "finalizedUpTo": position})
            handler.wfile.write(f"event: position\ndata: {place}\n\n".encode())

    return send


def an_answer(status: int) -> Callable[[Handler], None]:
    return lambda handler: handler.answer(status, {"error": "not now", "service": {"reason": "unclassified"}})


class Reads(unittest.TestCase):
    def setUp(self) -> None:
        self.service = self.enterContext(FakeService())
        journal = Path(self.enterContext(tempfile.TemporaryDirectory()))
        market = Market(self.service.url, a_deployment(), Wallet("0x" + "11" * 32), journal_directory=journal)
        self.market = self.enterContext(market)

    def ids(self, count: int, **options: Any) -> list[str]:
        events = self.market.events(pause_seconds=0, **options)
        return [event["id"] for event in itertools.islice(events, count)]

    def test_given_an_unchanged_answer_then_it_is_not_sent_again(self) -> None:
        self.service.reads[f"/api/tasks/{TASK}"] = {"status": "open"}
        first = self.market.task(TASK)
        self.assertIs(self.market.task(TASK), first)
        self.assertEqual(self.service.not_modified, 1)
        self.service.reads[f"/api/tasks/{TASK}"] = {"status": "completed"}
        self.assertEqual(self.market.wait_for(TASK), {"status": "completed"})

    def test_given_a_service_a_day_ahead_then_a_local_chain_alone_is_followed_further_than_ten_minutes(self) -> None:
        block = httpx.Response(200, headers={"X-Service-Block-Timestamp": str(int(time.time()) + 86_400)})
        transport = httpx.MockTransport(lambda _: block)
        for is_local, ahead in ((False, 600), (True, 86_400)):
            service = Service("http://127.0.0.1", a_deployment(local=is_local), transport=transport)
            self.assertAlmostEqual(service.now() - time.time(), ahead, delta=2)

    def test_given_no_such_page_then_the_read_fails_with_its_status(self) -> None:
        with self.assertRaises(ReadError) as error:
            self.market.read("/api/nothing")
        self.assertEqual(error.exception.status, 404)

    def test_given_pages_of_tasks_then_all_come(self) -> None:
        pages = {None: (["a"], "c1", True), "c1": (["b"], None, False)}

        def page(query: dict[str, list[str]]) -> dict[str, Any]:
            tasks, cursor, has_more = pages[query.get("cursor", [None])[0]]
            return {"tasks": tasks, "nextCursor": cursor, "hasMore": has_more}

        self.service.reads["/api/tasks"] = page
        self.assertEqual(list(self.market.tasks(status="open")), ["a", "b"])

    def test_given_streams_that_end_then_each_entry_comes_once_behind_the_last(self) -> None:
        self.service.reads["/api/events"] = {"events": [], "next": "aa-1", "finalizedUpTo": 1}
        self.service.streams = [a_stream(2, 3), a_stream(position=5), a_stream(6)]
        self.assertEqual(self.ids(3), ["aa-2", "aa-3", "aa-6"])
        places = [headers["Last-Event-ID"] for headers in self.service.stream_headers]
        self.assertEqual(places, ["aa-1", "aa-3", "aa-5"])

    def test_given_no_stream_then_pages_take_its_place(self) -> None:
        def page(query: dict[str, list[str]]) -> dict[str, Any]:
            after = int(query["after"][0].removeprefix("aa-"))
            events = [an_event(after + 1)] if after < 4 else []
            return {"events": events, "next": f"aa-{min(after + 1, 4)}", "finalizedUpTo": 0}

        self.service.reads["/api/events"] = page
        self.service.streams = [an_answer(503), a_stream(5)]
        self.assertEqual(self.ids(3, after="aa-2"), ["aa-3", "aa-4", "aa-5"])

    def test_given_a_place_that_is_gone_then_the_log_goes_on_from_the_block_that_is_final(self) -> None:
        restarts: list[int] = []
        self.service.streams = [a_stream(7, position=7), an_answer(410), a_stream(8)]
        self.assertEqual(self.ids(2, after="aa-6", on_restart=restarts.append), ["aa-7", "aa-8"])
        self.assertEqual(restarts, [8])

    def test_given_a_place_that_is_gone_before_any_block_then_it_fails(self) -> None:
        self.service.streams = [an_answer(410)]
        with self.assertRaises(ReadError):
            self.ids(1, after="aa-6")

    def test_given_filters_that_are_refused_then_it_fails(self) -> None:
        self.service.streams = [an_answer(400)]
        with self.assertRaises(ReadError):
            self.ids(1, after="aa-6")


class Deployments(unittest.TestCase):
    FILE = {
        "chainId": 84532,
        "name": "base-sepolia",
        "bound": True,
        "usdc": {"address": "0x" + "DC" * 20, "name": "USDC", "version": "2"},
        "contracts": {"market": {"address": "0x" + "AA" * 20}, "forwarder": {"address": "0x" + "F0" * 20}},
        "registries": {"identityRegistry": {"address": "0x" + "1D" * 20}},
    }

    def test_given_both_shapes_then_they_are_read(self) -> None:
        read = load_deployment(self.FILE)
        self.assertEqual((read.usdc_name, read.forwarder, read.bound), ("USDC", "0x" + "f0" * 20, True))
        flat = {"chainId": 8453, "market": "0x" + "AA" * 20, "forwarder": "0x" + "F0" * 20, "usdc": "0x" + "DC" * 20}
        older = load_deployment(flat)
        self.assertEqual((older.usdc_name, older.name, older.bound), ("USD Coin", "base", False))
        with self.assertRaisesRegex(ValueError, "name and version"):
            load_deployment({**flat, "chainId": 84532})

    def test_given_what_is_no_deployment_then_it_says_so(self) -> None:
        for changes, message in (
            ({"contracts": {}}, "not deployed to base-sepolia"),
            ({"chainId": "84532"}, "no chainId"),
            ({"bound": "yes"}, "`bound`"),
            ({"usdc": {"address": "0x" + "DC" * 20}}, "name and version"),
            ({"contracts": {"market": {"address": "0x" + "AA" * 20}}}, "`forwarder`"),
            ({"registries": None}, "lacks contracts"),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                load_deployment({**self.FILE, **changes})


if __name__ == "__main__":
    unittest.main()
