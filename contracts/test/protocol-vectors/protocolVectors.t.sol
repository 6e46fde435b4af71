// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {PaymentForwarder} from "../../src/PaymentForwarder.sol";
import {IIdentityRegistrar} from "../../src/interfaces/IIdentityRegistrar.sol";
import {ClaimTo} from "../../src/interfaces/ISponsoredVault.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Amounts} from "../../src/libraries/Amounts.sol";
import {ClockPrice} from "../../src/libraries/ClockPrice.sol";
import {LocalNamedUsdc} from "../../src/local/LocalNamedUsdc.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {SettlementTree} from "../../src/sponsored/SettlementTree.sol";
import {Authorization, Route, SuffixRule} from "../../src/types/RelayTypes.sol";
import {Winner} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {Relay} from "../support/Relay.sol";

/// @notice `protocol/vectors/vectors.json` was computed from the rules of the documents, apart from every implementation.
/// TypeScript, Python and these contracts give the same. Each test reads its part of the file at once, as structs.
contract ProtocolVectorsTest is MarketTest {
    struct Text {
        string name;
        string text;
        bytes32 digest;
        bytes signature;
    }

    struct Terms {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
    }

    struct Usdc {
        address at;
        string name;
    }

    struct Signed {
        bytes32 digest;
        bytes signature;
    }

    struct Payment {
        uint256 chainId;
        address forwarder;
        Usdc usdc;
        string method;
        string path;
        string key;
        string body;
        address target;
        bytes data;
        uint256 escrow;
        string requestText;
        bytes32 salt;
        bytes32 nonce;
        Terms authorization;
        Signed receipt;
        Signed transfer;
    }

    struct Clock {
        uint256 maximum;
        uint256 other;
        uint256 createdAt;
        uint256 deadline;
        uint256 now_;
        uint256 dutch;
        uint256 reverseDutch;
    }

    struct Split {
        uint256 reward;
        uint256[] sharesBps;
        uint256[] grosses;
    }

    struct Part {
        uint256 amount;
        uint256 bps;
        uint256 part;
    }

    struct AwardFee {
        uint256 gross;
        uint256 platformFee;
    }

    struct Payouts {
        uint256 base;
        uint256 evaluatorFeeBps;
        uint256 platformFeeBps;
        uint256 evaluatorFee;
        AwardFee[] payouts;
    }

    struct Hashed {
        string text;
        bytes32 hash;
    }

    struct Commitment {
        bytes32 taskId;
        address worker;
        string text;
        bytes preimage;
        bytes32 hash;
    }

    struct Creation {
        bytes data;
        bytes32 termsHash;
    }

    struct Leaf {
        uint256 index;
        uint256 amount;
        bytes32 leaf;
        bytes32[] proof;
    }

    struct Settlement {
        bytes32 vaultId;
        uint256 epoch;
        bytes32 taskId;
        address[] workers;
        uint256[] amounts;
        Leaf[] leaves;
        bytes32 root;
    }

    string private constant PAYMENT = "PaymentRow(uint256 chainId,address forwarder,UsdcRow usdc,string method,string path,string key,string body,"
        "address target,bytes data,uint256 escrow,string requestText,bytes32 salt,bytes32 nonce,TermsRow authorization,"
        "DigestRow receive,DigestRow transfer)UsdcRow(address address,string name)DigestRow(bytes32 digest,bytes signature)"
        "TermsRow(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore)";
    string private constant SETTLEMENT = "SettlementRow(bytes32 vaultId,uint256 epoch,bytes32 taskId,address[] workers,uint256[] amounts,LeafRow[] leaves,"
        "bytes32 root)LeafRow(uint256 index,uint256 amount,bytes32 leaf,bytes32[] proof)";

    bytes32 private constant TASK = hex"9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f";
    address private constant WORKER = address(bytes20(hex"a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"));
    address private constant OTHER = address(bytes20(hex"b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"));

    string private constant REGISTRATION = "https://agent.example/registration.json";
    /// @dev The signed mode of a route.
    uint8 private constant SIGNED = 4;

    uint256 private key;
    address private wallet;

    function setUp() public override {
        super.setUp();
        key = vm.parseJsonUint(file(), ".wallet.privateKey");
        wallet = vm.parseJsonAddress(file(), ".wallet.address");
        assertEq(vm.addr(key), wallet);
    }

    // --- Texts ---

    /// when a wallet signs a text: it signs the digest of each vector
    function test_Texts() external view {
        Text[] memory rows = texts();
        for (uint256 i; i < rows.length; i++) {
            assertEq(MessageHashUtils.toEthSignedMessageHash(bytes(rows[i].text)), rows[i].digest, rows[i].name);
            assertEq(Relay.signDigest(key, rows[i].digest), rows[i].signature, rows[i].name);
        }
    }

    /// when a wallet signs a text: it is taken by the forwarder: a switch, and the texts of free writes
    function test_ForwarderTakesTexts() external {
        PaymentForwarder at = forwarderAt(vm.parseJsonAddress(file(), ".texts.values.forwarder"), usdc);
        bytes memory data = vm.parseJsonBytes(file(), ".texts.values.data");
        vm.startPrank(owner);
        at.setRelayer(relayer, true);
        at.setRoute(Route(address(market), ITaskMarket.submitWork.selector, SIGNED, SuffixRule.Content, "submit"));
        vm.stopPrank();
        vm.mockCall(address(market), data, "");
        Text[] memory rows = texts();
        vm.startPrank(relayer);
        at.relaySigned("plain", wallet, signatureOf(rows, "submit, plain"), "", address(market), data);
        at.relaySigned("call", wallet, signatureOf(rows, "submit, call"), ":call", address(market), data);
        at.setBoundOnlyFor(wallet, true, 0, 1_800_000_000, signatureOf(rows, "bound-only, on"));
        vm.stopPrank();
        assertTrue(at.boundOnly(wallet));
    }

    // --- Payments ---

    /// when a request is salted: it gives the salt of each vector
    function test_Salts() external view {
        Payment[] memory rows = payments();
        for (uint256 i; i < rows.length; i++) {
            Payment memory one = rows[i];
            string memory place = string.concat(Strings.toString(one.chainId), ":", Strings.toHexString(one.forwarder));
            string memory request = string.concat(one.method, " ", one.path, ":", one.key);
            string memory body = vm.replace(vm.toString(sha256(bytes(one.body))), "0x", "");
            assertEq(string.concat("service:pay:", place, ":", request, ":", body), one.requestText);
            assertEq(keccak256(bytes(one.requestText)), one.salt);
        }
    }

    /// when a call is bound: it gives the nonce of each vector
    function test_Nonces() external {
        Payment[] memory rows = payments();
        for (uint256 i; i < rows.length; i++) {
            Payment memory one = rows[i];
            vm.chainId(one.chainId);
            PaymentForwarder at = forwarderAt(one.forwarder, usdc);
            assertEq(at.boundNonceOf(one.target, one.data, one.escrow, one.salt), one.nonce);
        }
    }

    /// when the payer signs: it signs both digests of each vector, and USDC takes the signatures
    function test_Digests() external {
        Payment[] memory rows = payments();
        for (uint256 i; i < rows.length; i++) {
            Payment memory one = rows[i];
            vm.chainId(one.chainId);
            LocalUsdc token = usdcOf(one.usdc);
            Terms memory terms = one.authorization;
            Authorization memory bound =
                Authorization(terms.from, terms.value, terms.validAfter, terms.validBefore, one.nonce);
            Authorization memory plain =
                Authorization(terms.from, terms.value, terms.validAfter, terms.validBefore, one.salt);
            assertEq(Relay.receiptDigest(token, terms.to, bound), one.receipt.digest);
            assertEq(Relay.transferDigest(token, terms.to, plain), one.transfer.digest);
            assertEq(Relay.signDigest(key, one.receipt.digest), one.receipt.signature);
            token.mint(terms.from, 2 * terms.value);
            vm.prank(terms.to);
            token.receiveWithAuthorization(
                terms.from, terms.to, terms.value, 0, terms.validBefore, one.nonce, one.receipt.signature
            );
            token.transferWithAuthorization(
                terms.from, terms.to, terms.value, 0, terms.validBefore, one.salt, one.transfer.signature
            );
        }
    }

    // --- Documents, creations and calls ---

    /// when a document is hashed: it gives the hash of each vector
    function test_Documents() external view {
        string[3] memory kinds = ["task", "manifest", "feedback"];
        for (uint256 i; i < kinds.length; i++) {
            string memory path = string.concat(".documents.", kinds[i]);
            Hashed[] memory rows =
                abi.decode(vm.parseJsonTypeArray(file(), path, "Hashed(string text,bytes32 hash)"), (Hashed[]));
            assertGt(rows.length, 1);
            for (uint256 k; k < rows.length; k++) {
                assertEq(keccak256(bytes(rows[k].text)), rows[k].hash);
            }
        }
        string memory layout = "Commitment(bytes32 taskId,address worker,string text,bytes preimage,bytes32 hash)";
        bytes memory commitments = vm.parseJsonTypeArray(file(), ".documents.commitment", layout);
        Commitment[] memory texts_ = abi.decode(commitments, (Commitment[]));
        for (uint256 i; i < texts_.length; i++) {
            Commitment memory one = texts_[i];
            assertEq(abi.encode(one.taskId, one.worker, one.text), one.preimage);
            assertEq(keccak256(one.preimage), one.hash);
        }
    }

    /// when a task is created by the call of a vector: it has the terms of the vector
    function test_Creations() external {
        bytes memory creations = vm.parseJsonTypeArray(file(), ".creations", "Creation(bytes data,bytes32 termsHash)");
        Creation[] memory rows = abi.decode(creations, (Creation[]));
        assertEq(rows.length, 8);
        for (uint256 i; i < rows.length; i++) {
            vm.prank(requester);
            (bool ok, bytes memory answer) = address(market).call(rows[i].data);
            assertTrue(ok, string.concat("creation ", Strings.toString(i)));
            assertEq(market.taskTermsHash(abi.decode(answer, (bytes32))), rows[i].termsHash);
        }
    }

    /// when an operation is encoded: it gives the call of the vector
    function test_Calls() external view {
        bytes32 pitch = keccak256(abi.encode(TASK, WORKER, "I write haiku every day."));
        bytes32 proof = keccak256(abi.encode(TASK, WORKER, "https://example.org/run/42"));
        (bytes32 first, bytes32 second) = (filled(0xd1), filled(0xd3));
        Winner[] memory winners = new Winner[](2);
        (winners[0], winners[1]) = (Winner(WORKER, 7000, first), Winner(OTHER, 3000, second));
        address[] memory rejected = new address[](1);
        rejected[0] = WORKER;
        expectCall("bids.accept", abi.encodeCall(ITaskMarket.acceptAuction, (TASK, 3_500_000)));
        expectCall("bids.create", abi.encodeCall(ITaskMarket.submitBid, (TASK, 4_000_000)));
        expectCall("bids.selectWinner", abi.encodeCall(ITaskMarket.selectLowestBidder, (TASK)));
        expectCall("claims.create", abi.encodeCall(ITaskMarket.claimTask, (TASK, filled(0x7e))));
        expectCall("identity.register", abi.encodeCall(IIdentityRegistrar.register, (REGISTRATION)));
        expectCall("pitches.create", abi.encodeCall(ITaskMarket.submitPitch, (TASK, pitch)));
        expectCall("pitches.select", abi.encodeCall(ITaskMarket.selectWorker, (TASK, WORKER)));
        expectCall("proofs.create", abi.encodeCall(ITaskMarket.submitProof, (TASK, proof, keccak256("url"), 42)));
        expectCall("submissions.reject", abi.encodeCall(ITaskMarket.rejectSubmissions, (TASK, rejected)));
        expectCall("tasks.accept", abi.encodeCall(ITaskMarket.acceptSubmission, (TASK, WORKER, first)));
        expectCall("tasks.acceptSubmissions", abi.encodeCall(ITaskMarket.acceptSubmissions, (TASK, winners)));
        expectCall("tasks.cancel", abi.encodeCall(ITaskMarket.cancelTask, (TASK)));
        expectCall("tasks.finalizeVerdict", abi.encodeCall(ITaskMarket.finalizeVerdict, (TASK)));
        expectCall("tasks.forfeit", abi.encodeCall(ITaskMarket.forfeitAndReopen, (TASK)));
        expectCall("tasks.refundExpired", abi.encodeCall(ITaskMarket.refundExpired, (TASK)));
    }

    // --- Money ---

    /// when money is divided: it gives the clock prices of each vector
    function test_ClockPrices() external view {
        string memory layout =
            "ClockRow(uint256 maximum,uint256 other,uint256 createdAt,uint256 deadline,uint256 now,uint256 dutch,uint256 reverseDutch)";
        Clock[] memory rows = abi.decode(vm.parseJsonTypeArray(file(), ".rounding.clockPrices", layout), (Clock[]));
        assertGt(rows.length, 20);
        for (uint256 i; i < rows.length; i++) {
            assertEq(priceOf(true, rows[i]), rows[i].dutch);
            assertEq(priceOf(false, rows[i]), rows[i].reverseDutch);
        }
    }

    /// when money is divided: it gives the parts, splits and payouts of each vector
    function test_Parts() external view {
        string memory layout = "Part(uint256 amount,uint256 bps,uint256 part)";
        Part[] memory parts = abi.decode(vm.parseJsonTypeArray(file(), ".rounding.parts", layout), (Part[]));
        for (uint256 i; i < parts.length; i++) {
            Part memory one = parts[i];
            (uint72 fee, uint72 net) = Amounts.splitFee(uint72(one.amount), one.bps);
            assertEq(fee, one.part);
            assertEq(net, one.amount - one.part);
        }
        layout = "Split(uint256 reward,uint256[] sharesBps,uint256[] grosses)";
        Split[] memory splits = abi.decode(vm.parseJsonTypeArray(file(), ".rounding.splits", layout), (Split[]));
        for (uint256 i; i < splits.length; i++) {
            uint72[] memory grosses = Amounts.split(uint72(splits[i].reward), splits[i].sharesBps);
            for (uint256 k; k < grosses.length; k++) {
                assertEq(grosses[k], splits[i].grosses[k]);
            }
        }
        layout = "PayoutsRow(uint256 base,uint256 evaluatorFeeBps,uint256 platformFeeBps,uint256 evaluatorFee,AwardRow[] payouts)"
            "AwardRow(uint256 gross,uint256 platformFee)";
        Payouts[] memory verdicts = abi.decode(vm.parseJsonTypeArray(file(), ".rounding.verdicts", layout), (Payouts[]));
        for (uint256 i; i < verdicts.length; i++) {
            Payouts memory one = verdicts[i];
            assertEq(Amounts.partOf(uint72(one.base), one.evaluatorFeeBps), one.evaluatorFee);
            for (uint256 k; k < one.payouts.length; k++) {
                (uint72 fee,) = Amounts.splitFee(uint72(one.payouts[k].gross), one.platformFeeBps);
                assertEq(fee, one.payouts[k].platformFee);
            }
        }
    }

    /// when a vault settles: it gives the leaves, proofs and root of each vector
    function test_Settlements() external view {
        bytes memory settlements = vm.parseJsonTypeArray(file(), ".settlements", SETTLEMENT);
        Settlement[] memory rows = abi.decode(settlements, (Settlement[]));
        assertGt(rows.length, 3);
        for (uint256 i; i < rows.length; i++) {
            Settlement memory one = rows[i];
            SettlementTree.Leaf memory head;
            (head.vaultId, head.epoch, head.allocationId, head.taskId) =
            (one.vaultId, uint64(one.epoch), one.taskId, one.taskId);
            assertEq(SettlementTree.rootOfEarned(head, one.workers, one.amounts), one.root);
            for (uint256 k; k < one.leaves.length; k++) {
                Leaf memory leaf = one.leaves[k];
                (head.index, head.worker, head.amount) = (leaf.index, one.workers[leaf.index], leaf.amount);
                assertEq(SettlementTree.leafOf(head), leaf.leaf);
                assertTrue(MerkleProof.verify(leaf.proof, one.root, leaf.leaf));
            }
        }
    }

    /// when a vault settles: it gives the digest that a claim is signed over
    function test_VaultClaim() external view {
        string memory layout = "ClaimTo(bytes32 vaultId,uint64 epoch,bytes32 allocationId,bytes32 taskId,uint256 index,address worker,"
            "address destination,uint256 amount,uint256 nonce,uint256 deadline)";
        ClaimTo memory claim = abi.decode(vm.parseJsonType(file(), ".vaultClaim.message", layout), (ClaimTo));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("SponsoredTasksVault"),
                keccak256("1"),
                block.chainid,
                vm.parseJsonAddress(file(), ".vaultClaim.vault")
            )
        );
        bytes32 digest =
            MessageHashUtils.toTypedDataHash(domain, keccak256(abi.encode(keccak256(bytes(layout)), claim)));
        assertEq(digest, vm.parseJsonBytes32(file(), ".vaultClaim.digest"));
        assertEq(Relay.signDigest(key, digest), vm.parseJsonBytes(file(), ".vaultClaim.signature"));
    }

    // --- Readers ---

    function file() private view returns (string memory) {
        // One of the files that foundry.toml lets tests read.
        // forge-lint: disable-next-line(unsafe-cheatcode)
        return vm.readFile("../protocol/vectors/vectors.json");
    }

    function texts() private view returns (Text[] memory) {
        string memory layout = "Text(string name,string text,bytes32 digest,bytes signature)";
        return abi.decode(vm.parseJsonTypeArray(file(), ".texts.rows", layout), (Text[]));
    }

    function payments() private view returns (Payment[] memory) {
        return abi.decode(vm.parseJsonTypeArray(file(), ".payments", PAYMENT), (Payment[]));
    }

    function signatureOf(Text[] memory rows, string memory name) private pure returns (bytes memory) {
        for (uint256 i; i < rows.length; i++) {
            if (Strings.equal(rows[i].name, name)) return rows[i].signature;
        }
        revert(name);
    }

    function expectCall(string memory operation, bytes memory expected) private view {
        string memory path = string.concat(".calls.rows['", operation, "'].data");
        assertEq(vm.parseJsonBytes(file(), path), expected, operation);
    }

    // --- Environment ---

    function forwarderAt(address where, LocalUsdc token) private returns (PaymentForwarder) {
        deployTo("PaymentForwarder", abi.encode(owner, token, "service"), where);
        return PaymentForwarder(where);
    }

    /// @dev The stand-in of the chain's USDC: its name is part of the domain.
    function usdcOf(Usdc memory given) private returns (LocalUsdc token) {
        token = LocalUsdc(given.at);
        if (given.at == address(usdc)) return token;
        deployTo("LocalNamedUsdc", given.at);
        LocalNamedUsdc(given.at).setName(given.name);
        token.initialize(address(this));
        token.configureMinter(address(this), type(uint256).max);
    }

    function priceOf(bool isDutch, Clock memory one) private pure returns (uint256) {
        return ClockPrice.at(isDutch, uint72(one.maximum), uint72(one.other), one.createdAt, one.deadline, one.now_);
    }

    function filled(uint8 value) private pure returns (bytes32) {
        return bytes32(type(uint256).max / 255 * value);
    }
}
