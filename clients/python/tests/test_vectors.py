"""Tests of the package against the vectors that TypeScript and Solidity also read."""

import hashlib
import json
import unittest
from pathlib import Path
from typing import Any

from task_market import amounts, documents, payment, texts
from task_market.abi import encode
from task_market.calls import CALLS, CallContext, ContractCall, call_of
from task_market.deployment import Deployment
from task_market.keys import Wallet, digest_of_text, keccak256, to_checksum, to_hex
from task_market.writes import OPERATIONS

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))
WALLET = Wallet(VECTORS["wallet"]["privateKey"])


def deployment_of(chain_id: int, forwarder: str, usdc: dict[str, str], **others: Any) -> Deployment:
    names = {"usdc_name": usdc["name"], "usdc_version": usdc["version"], "usdc": usdc["address"]}
    given = {"name": "test", "market": "0x" + "01" * 20, "bound": True, **others}
    registries = {"identity_registry": None, "identity_registrar": None}
    return Deployment(**{"chain_id": chain_id, "forwarder": forwarder, **names, **registries, **given})


class Keys(unittest.TestCase):
    def test_address(self) -> None:
        self.assertEqual(WALLET.address, VECTORS["wallet"]["address"])
        self.assertEqual(to_checksum(WALLET.address), VECTORS["wallet"]["checksum"])

    def test_a_key_is_not_shown(self) -> None:
        self.assertNotIn(VECTORS["wallet"]["privateKey"][2:10], repr(WALLET))
        self.assertNotEqual(Wallet.create().address, Wallet.create().address)


class Texts(unittest.TestCase):
    def test_every_text(self) -> None:
        v = VECTORS["texts"]["values"]
        place, wallet, task, time = texts.Place(v["chainId"], v["forwarder"]), v["wallet"], v["taskId"], v["time"]
        tail = texts.call_tail(place, v["data"])
        request = texts.request_text_of_hash(place, v["request"], v["key"], v["body"])
        made = {
            "submit, plain": texts.task_text("submit", task),
            "submit, call": texts.task_text("submit", task) + tail,
            "submit, keys": texts.keys_text(task, v["keys"]),
            "select-worker, selection": texts.select_worker_text(task, v["id"], v["other"]),
            "upload, files": texts.upload_text(place, task, wallet),
            "pay, request": request,
            "pay, proof": texts.proof_text(request, v["id"]),
            "withdraw-token, withdrawal": texts.withdraw_token_text(v["other"], v["id"], time),
            "read, ending": texts.read_text(v["chainId"], v["host"], wallet, time),
            "device-register, device": texts.device_text(wallet),
            "set-withdrawal-address, address": texts.withdrawal_address_text(v["other"]),
            "reveal-account-recovery-code, code": texts.recovery_code_text(wallet),
            "webhook, create": texts.webhook_text("create", v["chainId"], v["host"], wallet, v["body"], time),
        }
        for verb in ("claim", "forfeit"):
            made[f"{verb}, plain"] = texts.task_text(verb, task)
            made[f"{verb}, round"] = texts.task_text(verb, task, v["round"])
            made[f"{verb}, call"] = texts.task_text(verb, task) + tail
            made[f"{verb}, call in a round"] = texts.task_text(verb, task, v["round"]) + tail
        for verb in ("rotate", "resume", "test", "replay", "delete"):
            made[f"webhook, {verb}"] = texts.webhook_text(verb, v["chainId"], v["host"], wallet, v["key"], time)
        for state in (True, False):
            name = "on" if state else "off"
            made[f"bound-only, {name}"] = texts.bound_only_text(place, wallet, state, v["counter"], time)
            made[f"consent, {name}"] = texts.consent_text(place, wallet, state, time)
        expected = {row["name"]: row["text"] for row in VECTORS["texts"]["rows"]}
        # Curators sign these, for ever; this client signs neither. The last two are no texts of a purpose.
        others = ("curate, decision", "read, lasting", "bytes, not characters", "long")
        self.assertEqual(made, {name: text for name, text in expected.items() if name not in others})

    def test_digests_and_signatures(self) -> None:
        for row in VECTORS["texts"]["rows"]:
            with self.subTest(row["name"]):
                self.assertEqual(to_hex(digest_of_text(row["text"])), row["digest"])
                self.assertEqual(WALLET.sign_text(row["text"]), row["signature"])


class Payments(unittest.TestCase):
    def test_nonces_and_digests(self) -> None:
        for row in VECTORS["payments"]:
            with self.subTest(row["path"], chain=row["chainId"]):
                deployment = deployment_of(row["chainId"], row["forwarder"], row["usdc"])
                body = row["body"].encode()
                text = texts.request_text(deployment.place, row["method"], row["path"], row["key"], body)
                self.assertEqual(text, row["requestText"])
                salt = payment.request_hash(text)
                self.assertEqual(salt, row["salt"])
                call = ContractCall(row["target"], row["data"], int(row["escrow"]))
                nonce = payment.bound_nonce(call, deployment.place, salt)
                self.assertEqual(nonce, row["nonce"])
                given = row["authorization"]
                terms = (given["from"], given["to"], int(given["value"]), int(given["validBefore"]))
                for name, authorization in (
                    ("receive", payment.Authorization(*terms, nonce, salt)),
                    ("transfer", payment.Authorization(*terms, salt)),
                ):
                    digest = payment.authorization_digest(deployment, authorization)
                    self.assertEqual(to_hex(digest), row[name]["digest"])
                    self.assertEqual(WALLET.sign_digest(digest), row[name]["signature"])

    def test_vault_claim(self) -> None:
        row = VECTORS["vaultClaim"]
        struct = (
            "ClaimTo(bytes32 vaultId,uint64 epoch,bytes32 allocationId,bytes32 taskId,uint256 index,address worker,"
            "address destination,uint256 amount,uint256 nonce,uint256 deadline)"
        )
        digest = payment.typed_data_digest(
            "SponsoredTasksVault",
            "1",
            row["chainId"],
            row["vault"],
            struct=struct,
            types="bytes32,uint64,bytes32,bytes32,uint256,address,address,uint256,uint256,uint256",
            values=tuple(row["message"].values()),
        )
        self.assertEqual(to_hex(digest), row["digest"])
        self.assertEqual(WALLET.sign_digest(digest), row["signature"])


class Documents(unittest.TestCase):
    def expect(self, row: dict[str, Any], document: documents.HashedDocument) -> None:
        self.assertEqual((document.text, document.hash), (row["text"], row["hash"]))

    def test_documents(self) -> None:
        given = VECTORS["documents"]
        for row in given["task"]:
            self.expect(row, documents.task_document(row["given"], row["salt"]))
        for row in given["manifest"]:
            one = row["given"]
            made = documents.submission_manifest(one["taskId"], one["worker"], one["artifacts"], row["salt"])
            self.expect(row, made)
        for row in given["feedback"]:
            agent = row["given"]["workerAgentId"]
            feedback = {**row["given"], "workerAgentId": None if agent is None else int(agent)}
            self.expect(row, documents.feedback_document(feedback, row["salt"]))

    def test_commitments(self) -> None:
        for row in VECTORS["documents"]["commitment"]:
            given = (row["taskId"], row["worker"], row["text"])
            self.assertEqual(to_hex(documents.text_preimage(*given)), row["preimage"])
            self.assertEqual(documents.text_commitment(*given), row["hash"])

    def test_canonical_json(self) -> None:
        for row in VECTORS["documents"]["canonical"]:
            self.assertEqual(documents.to_canonical_json(row["value"]), row["text"])
        with self.assertRaises(TypeError):
            documents.to_canonical_json({"a": 0.5})

    def test_a_file(self) -> None:
        described = documents.describe_file("a.txt", "text/plain", b"abc")
        self.assertEqual(described["sha256Hash"], hashlib.sha256(b"abc").hexdigest())
        self.assertEqual(described["keccak256Hash"], to_hex(keccak256(b"abc")))


class Calls(unittest.TestCase):
    def context(self) -> CallContext:
        given, facts = VECTORS["calls"]["deployment"], VECTORS["calls"]["facts"]
        usdc = {"address": given["usdc"], **given["usdcDomain"]}
        registries = {"identity_registry": given["identityRegistry"], "identity_registrar": given["identityRegistrar"]}
        deployment = deployment_of(given["chainId"], given["forwarder"], usdc, market=given["market"], **registries)
        agents = {name: int(facts[name]) for name in ("raterAgentId", "workerAgentId")}
        return CallContext(deployment, VECTORS["calls"]["actor"], {**facts, **agents})

    def test_every_operation(self) -> None:
        rows, context = VECTORS["calls"]["rows"], self.context()
        # Their owner signs the others unchanged; this client makes none.
        owned = {"wallet.withdraw", "wallet.withdrawToken", "wallet.boundOnly", "sponsoredTaskVaults.claim"}
        self.assertEqual(set(CALLS), set(rows) - owned)
        self.assertEqual({operation.name for operation in OPERATIONS.values()}, set(CALLS))
        for name in CALLS:
            with self.subTest(name):
                call = call_of(name, rows[name]["request"], context)
                self.assertEqual(call.data, rows[name]["data"])
                self.assertEqual(call.escrow, int(rows[name]["escrow"]))
                target = context.deployment.market
                if name.startswith("identity."):
                    target = context.deployment.identity_registrar or ""
                self.assertEqual(call.target, target)

    def test_creations(self) -> None:
        for row in VECTORS["creations"]:
            with self.subTest(row["request"].get("auctionType", row["request"].get("mode"))):
                self.assertEqual(call_of("tasks.create", row["request"], self.context()).data, row["data"])

    def test_abi(self) -> None:
        self.assertEqual(encode("string,uint8", "", 1), bytes(31) + b"\x40" + bytes(31) + b"\1" + bytes(32))


class Rounding(unittest.TestCase):
    def test_clock_prices(self) -> None:
        for row in VECTORS["rounding"]["clockPrices"]:
            given = [int(row[name]) for name in ("maximum", "other", "createdAt", "deadline", "now")]
            self.assertEqual(amounts.clock_price(True, *given), int(row["dutch"]))
            self.assertEqual(amounts.clock_price(False, *given), int(row["reverseDutch"]))

    def test_parts_and_splits(self) -> None:
        rounding = VECTORS["rounding"]
        for row in rounding["parts"]:
            self.assertEqual(amounts.part_of(int(row["amount"]), row["bps"]), int(row["part"]))
        for row in rounding["splits"]:
            grosses = amounts.split_reward(int(row["reward"]), row["sharesBps"])
            self.assertEqual(list(map(str, grosses)), row["grosses"])
        for row in rounding["durations"]:
            self.assertEqual(amounts.to_seconds(float(row["hours"])), row["seconds"], row["hours"])

    def test_base_units(self) -> None:
        self.assertEqual([amounts.to_base_units(text) for text in ("1.5", ".000001", "20")], [1_500_000, 1, 20_000_000])
        for text in ("", ".", "1.0000001", "-1", "1,5"):
            with self.assertRaises(ValueError):
                amounts.to_base_units(text)


class Settlements(unittest.TestCase):
    def test_leaves_and_proofs(self) -> None:
        for row in VECTORS["settlements"]:
            for leaf in row["leaves"]:
                worker, amount = row["workers"][leaf["index"]], int(leaf["amount"])
                head = (row["vaultId"], row["epoch"], row["taskId"])
                self.assertEqual(amounts.settlement_leaf(*head, leaf["index"], worker, amount), leaf["leaf"])
                self.assertEqual(amounts.root_of_proof(leaf["leaf"], leaf["proof"]), row["root"])


if __name__ == "__main__":
    unittest.main()
