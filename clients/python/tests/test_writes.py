"""Tests that a write is paid once, whatever happens to its answer or to its process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from task_market import LimitExceeded, Limits, Market, Options, OutcomeUnknown, Refused, Wallet

from fake_service import FORWARDER, TASK, TX, FakeService, a_deployment, failure

KEY = "0x" + "11" * 32
NOT_NOW = Options(wait_seconds=0)


class Writes(unittest.TestCase):
    def setUp(self) -> None:
        self.service = self.enterContext(FakeService())
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(patch("task_market.write.FIRST_PAUSE", 0.01))

    def market(self, **changes: Any) -> Market:
        given = {"deployment": a_deployment(), "wallet": Wallet(KEY), "journal_directory": self.directory, **changes}
        return self.enterContext(Market(self.service.url, **given))

    def entries(self) -> list[dict[str, Any]]:
        paths = list(self.directory.glob("*.json"))
        return list(json.loads(paths[0].read_text()).values()) if paths else []

    def pitch(self, market: Market, options: Options = Options(), text: str = "I count words.") -> Any:
        return market.create_pitch(TASK, pitchText=text, options=options)

    def test_given_an_answer_then_it_is_the_outcome(self) -> None:
        outcome = self.pitch(self.market())
        self.assertEqual((outcome.answer["pitchId"], outcome.tx_hash, outcome.paid), (TASK, TX, 1000))
        [entry] = self.entries()
        self.assertEqual((entry["state"], entry["key"]), ("completed", outcome.key))
        self.assertNotIn("signature", json.dumps(entry))

    def test_given_a_completed_write_then_an_equal_call_is_another_write(self) -> None:
        market = self.market()
        self.assertNotEqual(self.pitch(market).key, self.pitch(market).key)
        self.assertEqual(len(set(self.service.nonces)), 2)

    def test_given_a_lost_answer_then_the_record_of_the_key_is_the_outcome(self) -> None:
        self.service.lose = lambda: True
        outcome = self.pitch(self.market())
        self.assertEqual((outcome.answer, outcome.tx_hash, outcome.paid), (None, TX, 1000))
        self.assertEqual(len(self.service.nonces), 1)

    def test_given_a_lost_request_then_it_is_sent_again_with_the_same_bytes_and_nonce(self) -> None:
        lost = iter([True, True, False])
        self.service.drop = lambda: next(lost)
        outcome = self.pitch(self.market())
        self.assertEqual(len(self.service.nonces), 3)
        self.assertEqual(set(self.service.nonces), {self.service.acted[outcome.key]})
        self.assertEqual(len(self.service.bodies[outcome.key]), 1)

    def test_given_no_time_to_wait_then_the_outcome_is_unknown_and_the_next_call_goes_on(self) -> None:
        self.service.drop = lambda: True
        with self.assertRaises(OutcomeUnknown) as unknown:
            self.pitch(self.market(), NOT_NOW)
        self.assertEqual(self.entries()[0]["state"], "sent")
        self.service.drop = lambda: False
        # As another process.
        outcome = self.pitch(self.market())
        self.assertEqual(outcome.key, unknown.exception.key)
        self.assertEqual(len(set(self.service.nonces)), 1)

    def test_given_a_process_killed_between_write_and_answer_then_nothing_is_paid_twice(self) -> None:
        arrived, killed = threading.Event(), threading.Event()

        def hold() -> bool:
            arrived.set()
            return killed.wait(20)

        for acts in (True, False):
            with self.subTest(acts=acts):
                arrived.clear()
                killed.clear()
                before = len(set(self.service.nonces))
                self.service.lose, self.service.drop = (hold, lambda: False) if acts else (lambda: False, hold)
                program = Path(__file__).with_name("pitch_once.py")
                arguments = [sys.executable, "-B", str(program), self.service.url, str(self.directory), f"acts {acts}"]
                child = subprocess.Popen(arguments, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
                self.assertTrue(arrived.wait(20))
                child.send_signal(signal.SIGKILL)
                child.wait()
                killed.set()
                self.service.lose = self.service.drop = lambda: False
                outcome = self.pitch(self.market(), text=f"acts {acts}")
                self.assertEqual(outcome.tx_hash, TX)
                self.assertEqual(len(set(self.service.nonces)), before + 1)
                self.assertEqual(len(self.service.bodies[outcome.key]), 1)

    def test_given_two_calls_at_once_then_they_are_one_write(self) -> None:
        outcomes: list[Any] = []
        gate = threading.Barrier(2)

        def hold() -> bool:
            gate.wait(20)
            return False

        self.service.drop = hold
        calls = [threading.Thread(target=lambda: outcomes.append(self.pitch(self.market()))) for _ in range(2)]
        for call in calls:
            call.start()
        for call in calls:
            call.join(30)
        self.assertEqual(len({outcome.key for outcome in outcomes}), 1)
        self.assertEqual(len(set(self.service.nonces)), 1)

    def test_given_a_challenge_for_another_account_then_nothing_is_signed(self) -> None:
        self.service.pay_to = "0x" + "66" * 20
        with self.assertRaisesRegex(Refused, "another payment"):
            self.pitch(self.market())
        self.assertEqual((self.service.nonces, self.entries()[0]["payment"]), ([], None))

    def test_given_a_price_above_that_of_the_write_then_nothing_is_signed(self) -> None:
        self.service.price = 1001
        with self.assertRaisesRegex(Refused, "asks for 1001 base units"):
            self.pitch(self.market())
        self.assertEqual(self.service.nonces, [])

    def test_given_limits_then_they_hold_for_one_write_and_for_a_day(self) -> None:
        with self.assertRaises(LimitExceeded):
            self.pitch(self.market(limits=Limits(per_write=999)))
        market = self.market(limits=Limits(per_write=1000, per_day=2000))
        self.pitch(market, text="one")
        self.pitch(market, text="two")
        with self.assertRaises(LimitExceeded):
            self.pitch(market, text="three")
        self.assertEqual(len(self.service.nonces), 2)

    def test_given_a_refusal_after_a_payment_then_the_same_call_takes_the_same_key_and_payment(self) -> None:
        market = self.market()
        self.service.refusal = (409, failure("payment_preflight_rejected", "wrong_state"))
        with self.assertRaises(Refused) as refused:
            self.pitch(market)
        self.assertEqual(refused.exception.detail, "wrong_state")
        self.service.refusal = None
        self.assertEqual(self.pitch(market).key, refused.exception.key)
        self.assertEqual(len(set(self.service.nonces)), 1)

    def test_given_another_call_under_a_key_then_it_waits_for_the_end_of_the_first_payment(self) -> None:
        task = {"reward": "5000000", "requester": FORWARDER, "stakeBps": 0, "claimRound": 0, "termsHash": TASK}
        texts = {"description": "", "tags": [], "taskVisibility": "public", "submissionVisibility": "public"}
        rows = [{"id": TASK, "workerAddress": FORWARDER, "deliverableHash": "0x" + "d1" * 32}]
        metric = {"metricDescription": None, "metricTarget": None}
        path = f"/api/tasks/{TASK}"
        self.service.reads |= {path: {**task, **texts, **metric}, f"{path}/submissions": rows}
        self.service.drop = lambda: True
        with self.assertRaises(OutcomeUnknown):
            self.market().accept_submission(TASK, worker=FORWARDER, options=NOT_NOW)
        rows.append({**rows[0], "deliverableHash": "0x" + "d2" * 32})
        self.service.drop = lambda: False
        with self.assertRaisesRegex(OutcomeUnknown, "can still act"):
            self.market().accept_submission(TASK, worker=FORWARDER)
        self.assertEqual(len(set(self.service.nonces)), 1)
        with patch("task_market.write.time.time", lambda: self.entries()[0]["payment"]["validBefore"] + 61):
            with patch("task_market.service.time.time", lambda: self.entries()[0]["payment"]["validBefore"] + 61):
                self.market().accept_submission(TASK, worker=FORWARDER)
        self.assertEqual(len(set(self.service.nonces)), 2)

    def test_given_a_key_then_it_is_one_write_and_no_other(self) -> None:
        market, options = self.market(), Options(key="0b5f1c2e-8f1d-4a55-9a0e-0c6a3f9d1e11")
        first = self.pitch(market, options)
        self.assertEqual(self.pitch(market, options).tx_hash, first.tx_hash)
        self.assertEqual(len(self.service.nonces), 1)
        with self.assertRaisesRegex(Refused, "another write"):
            self.pitch(market, options, text="other")

    def test_given_a_write_that_failed_then_its_key_is_used_up(self) -> None:
        self.service.refusal = (409, failure("payment_preflight_rejected", intentStatus="failed"))
        options = Options(key="0b5f1c2e-8f1d-4a55-9a0e-0c6a3f9d1e11")
        for reason in ("write_failed", "key_used_up"):
            with self.assertRaises(Refused) as refused:
                self.pitch(self.market(), options)
            self.assertEqual(refused.exception.reason, reason)

    def test_given_a_creation_that_failed_then_an_equal_one_waits_for_the_end_of_its_payment(self) -> None:
        def create() -> Any:
            return self.market().create_task(description="Count", tags=[], reward="1000", duration=24)

        self.service.refusal = (409, failure("payment_preflight_rejected", intentStatus="failed"))
        with self.assertRaises(Refused):
            create()
        self.service.refusal = None
        with self.assertRaisesRegex(OutcomeUnknown, "can still act"):
            create()
        self.assertEqual(len(self.service.nonces), 1)
        end = self.entries()[0]["payment"]["validBefore"]
        with patch("task_market.write.time.time", lambda: end + 61):
            create()
        self.assertEqual(len(set(self.service.nonces)), 2)

    def test_given_an_older_deployment_then_the_payment_names_its_request_alone(self) -> None:
        self.pitch(self.market(deployment=replace(a_deployment(), bound=False)))
        [entry] = self.entries()
        self.assertNotIn("salt", entry["payment"])
        self.assertEqual(entry["payment"]["nonce"], self.service.nonces[0])

    def test_given_a_free_write_then_it_is_signed_and_not_paid(self) -> None:
        self.service.price = 0
        outcome = self.market().submit(TASK, {"work.txt": ("text/plain", b"done")})
        self.assertEqual((outcome.paid, self.service.nonces), (0, []))
        [body] = (json.loads(one) for one in self.service.bodies[outcome.key])
        self.assertEqual((body["artifacts"][0]["file"], len(body["signature"])), ("ZG9uZQ==", 132))

    def test_given_no_wallet_then_nothing_is_sent(self) -> None:
        with self.assertRaisesRegex(Refused, "needs a wallet"):
            self.pitch(self.market(wallet=None))
        self.assertEqual(self.service.bodies, {})


if __name__ == "__main__":
    unittest.main()
