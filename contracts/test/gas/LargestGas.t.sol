// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IdentityRegistrar} from "../../src/IdentityRegistrar.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ClaimTo} from "../../src/interfaces/ISponsoredVault.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Authorization, SuffixRule} from "../../src/types/RelayTypes.sol";
import {
    Award,
    CreateTaskParams,
    EvaluatorTerms,
    RateParams,
    UpdateTaskParams,
    Verdict,
    Winner
} from "../../src/types/TaskTypes.sol";
import {BonusTest} from "../bonus/support/BonusTest.sol";
import {SponsoredTest} from "../sponsored/support/SponsoredTest.sol";
import {Relay} from "../support/Relay.sol";
import {GasTest} from "./GasTest.sol";

/// @title Relayed writes with the largest input that the service accepts, each named after its operation
/// @notice Workers hold no USDC and have not acted before. docs/build/limits.md has the ceilings that these figures are below.
abstract contract LargestTest is GasTest {
    uint256 internal constant AWARDS = 50;

    function record(string memory relayMode, string memory name) internal override {
        vm.snapshotGasLastCall("Largest", string.concat(relayMode, name));
    }

    function newcomer(uint256 i) internal pure returns (address) {
        return address(uint160(0xF000_0000 + i));
    }

    /// @dev Fifty newcomers submit.
    function submitAll(bytes32 taskId) internal {
        for (uint256 i; i < AWARDS; i++) {
            submit(taskId, newcomer(i), keccak256(abi.encode(i)));
        }
    }

    function winners() internal pure returns (Winner[] memory list) {
        list = new Winner[](AWARDS);
        for (uint256 i; i < AWARDS; i++) {
            list[i] = Winner(newcomer(i), 200, keccak256(abi.encode(i)));
        }
    }
}

contract LargestGasTest is LargestTest {
    uint256 private evaluatorKey;
    uint256 private resolverKey;

    function setUp() public override {
        super.setUp();
        (, evaluatorKey) = makeAddrAndKey("evaluator");
        (, resolverKey) = makeAddrAndKey("resolver");
        allow(address(market), ITaskMarket.pushCredit.selector, 8, SuffixRule.None, "");
    }

    /// @dev Ten tags, a stake, an evaluator and all deadlines.
    function theLargest(CreateTaskParams memory params) private view returns (CreateTaskParams memory) {
        params = evaluated(params);
        (params.listed, params.tags) = (true, new bytes32[](10));
        for (uint256 i; i < 10; i++) {
            params.tags[i] = keccak256(abi.encode("tag", i));
        }
        return params;
    }

    function awards(uint256 amount) private pure returns (Award[] memory list) {
        list = new Award[](AWARDS);
        for (uint256 i; i < AWARDS; i++) {
            list[i] = Award(newcomer(i), uint80(amount), uint16(i + 1));
        }
    }

    /// @dev A contest with the submissions of fifty and of alice, who can appeal, at the end of its time.
    function createContest() private returns (bytes32 taskId) {
        taskId = create(theLargest(aBounty()));
        submitAll(taskId);
        submit(taskId, alice, "a1");
        vm.warp(block.timestamp + DURATION);
    }

    function verdictOf(bytes32 taskId) private pure returns (bytes memory) {
        return
            abi.encodeCall(
                ITaskMarket.evaluate, (taskId, Verdict.Partial, 900, 800, keccak256("evidence"), awards(1e5))
            );
    }

    function test_create() external {
        bytes memory data = abi.encodeCall(market.createTask, theLargest(anAuction(Modes.REVERSE_DUTCH)));
        paid("tasks.create of an auction", requesterKey, REWARD, data);
        paid("tasks.create", requesterKey, REWARD, abi.encodeCall(market.createTask, theLargest(aClaim())));
    }

    function test_update() external {
        UpdateTaskParams memory params = anUpdate(create(anAuction(Modes.DUTCH)));
        params.reward = uint96(REWARD + 1e6);
        params.expiryTime = uint40(block.timestamp) + 2 * DURATION;
        params.bidDeadline = uint40(block.timestamp) + DURATION;
        params.clockPrice = 1e6;
        params.contentHash = keccak256("another text");
        paid("tasks.update", requesterKey, 1e6, abi.encodeCall(market.updateTask, params));
    }

    function test_endWithoutAnAward() external {
        bytes32 taskId = create(theLargest(aClaim()));
        paid("tasks.cancel", requesterKey, 0, abi.encodeCall(market.cancelTask, (taskId)));
        taskId = create(aBounty());
        vm.warp(block.timestamp + DURATION);
        paid("tasks.refundExpired", requesterKey, 0, abi.encodeCall(market.refundExpired, (taskId)));
        taskId = create(theLargest(aBounty()));
        submitAll(taskId);
        vm.warp(block.timestamp + DURATION + 91 days);
        opened("tasks.settleStale", abi.encodeCall(market.settleStale, (taskId)));
    }

    function test_claimForfeitAndReview() external {
        bytes32 taskId = create(theLargest(aClaim()));
        bytes memory data = abi.encodeCall(market.claimTask, (taskId, market.taskTermsHash(taskId)));
        paid("claims.create", aliceKey, REWARD / 10, data);
        vm.warp(block.timestamp + DURATION);
        data = abi.encodeCall(market.forfeitAndReopen, (taskId));
        signed("tasks.forfeit", requesterKey, "service:forfeit:", taskId, data);
        taskId = create(aClaim());
        claim(taskId, alice);
        data = abi.encodeCall(market.submitWork, (taskId, keccak256("work")));
        signed("submissions.create to a claim", aliceKey, "service:submit:", taskId, data);
        paid("tasks.object", requesterKey, 0, abi.encodeCall(market.objectToDelivery, (taskId)));
    }

    function test_contest() external {
        bytes32 taskId = create(aBounty());
        (, uint256 key) = makeAddrAndKey("newcomer");
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, keccak256("work")));
        signed("submissions.create", key, "service:submit:", taskId, data);
        signed("submissions.createFromKeys", bobKey, "service:submit:", taskId, data);
        data = abi.encodeCall(market.rejectSubmissions, (taskId, asList(vm.addr(key))));
        paid("submissions.reject", requesterKey, 0, data);
        submit(taskId, newcomer(0), "work");
        data = abi.encodeCall(market.acceptSubmission, (taskId, newcomer(0), "work"));
        paid("tasks.accept", requesterKey, 0, data);
        RateParams memory params =
            RateParams(taskId, newcomer(0), 90, 0, 0, false, string(new bytes(256)), keccak256("file"));
        vm.prank(newcomer(0));
        identity.register("https://example.org/agent.json");
        params.hasAgent = true;
        paid("tasks.rate", requesterKey, 0, abi.encodeCall(market.rateTask, params));
        taskId = create(aBounty());
        submitAll(taskId);
        data = abi.encodeCall(market.acceptSubmissions, (taskId, winners()));
        paid("tasks.acceptSubmissions", requesterKey, 0, data);
        taskId = create(aBenchmark());
        data = abi.encodeCall(market.submitProof, (taskId, keccak256("proof"), keccak256("url"), type(uint256).max));
        paid("proofs.create", aliceKey, 0, data);
    }

    function test_pitchesAndBids() external {
        bytes32 taskId = create(theLargest(aPitchTask()));
        paid("pitches.create", aliceKey, 0, abi.encodeCall(market.submitPitch, (taskId, keccak256("pitch"))));
        paid("pitches.select", requesterKey, 0, abi.encodeCall(market.selectWorker, (taskId, alice)));
        taskId = create(theLargest(anAuction(Modes.ENGLISH)));
        paid("bids.create", aliceKey, 0, abi.encodeCall(market.submitBid, (taskId, 9e6)));
        vm.warp(block.timestamp + DURATION / 2);
        opened("bids.selectWinner", abi.encodeCall(market.selectLowestBidder, (taskId)));
        taskId = create(theLargest(anAuction(Modes.DUTCH)));
        vm.warp(block.timestamp + DURATION / 4);
        paid("bids.accept", aliceKey, 0, abi.encodeCall(market.acceptAuction, (taskId, 1)));
    }

    function test_evaluation() external {
        EvaluatorTerms memory terms = evaluatorTerms();
        paid("tasks.assignEvaluator", requesterKey, 0, abi.encodeCall(market.assignEvaluator, (createBounty(), terms)));
        bytes32 taskId = createContest();
        uint256 state = vm.snapshotState();
        vm.warp(block.timestamp + 2 hours);
        paid("tasks.evaluatorTimeout", requesterKey, 0, abi.encodeCall(market.evaluatorTimeout, (taskId)));
        vm.revertToState(state);
        fund(resolver);
        paid("tasks.evaluate", evaluatorKey, 0, verdictOf(taskId));
        state = vm.snapshotState();
        paid("tasks.appeal", aliceKey, 0, abi.encodeCall(market.appeal, (taskId)));
        bytes memory data = abi.encodeCall(market.resolveDispute, (taskId, Verdict.Partial, awards(1.5e5)));
        paid("tasks.resolveDispute", resolverKey, 0, data);
        vm.revertToState(state);
        vm.warp(block.timestamp + 1 hours);
        opened("tasks.finalizeVerdict", abi.encodeCall(market.finalizeVerdict, (taskId)));
    }

    function test_wallet() external {
        createCredit();
        opened("wallet.pushCredit", abi.encodeCall(market.pushCredit, (requester)));
        Authorization memory a = Relay.authorizationOf(requester, 1e6, "withdrawal");
        bytes memory signature = Relay.sign(usdc, requesterKey, newcomer(0), a);
        vm.prank(relayer);
        usdc.transferWithAuthorization(a.from, newcomer(0), a.value, a.validAfter, a.validBefore, a.nonce, signature);
        record("direct.", "wallet.withdraw");
        uint256 validBefore = block.timestamp + 120;
        bytes memory on =
            Relay.signText(requesterKey, Relay.switchText(address(forwarder), requester, true, 0, validBefore));
        vm.prank(relayer);
        forwarder.setBoundOnlyFor(requester, true, 0, validBefore, on);
        record("direct.", "wallet.boundOnly");
    }

    function test_identity() external {
        IdentityRegistrar registrar = aRegistrar();
        bytes memory uri = new bytes(256);
        for (uint256 i; i < uri.length; i++) {
            uri[i] = "a";
        }
        registry("identity.register", address(registrar), abi.encodeCall(registrar.register, (string(uri))));
        opened("identity.mint", address(registrar), abi.encodeCall(registrar.registerFor, (newcomer(1))));
    }

    function test_adoption() external {
        IdentityRegistrar registrar = aRegistrar();
        vm.prank(requester);
        uint256 agentId = identity.register("https://example.org/agent.json");
        registry("identity.adopt", address(registrar), abi.encodeCall(registrar.adopt, (agentId)));
    }

    function aRegistrar() internal returns (IdentityRegistrar registrar) {
        string memory base = "https://example.org/api/agents/";
        registrar = IdentityRegistrar(deploy("IdentityRegistrar", abi.encode(identity, forwarder, base)));
        allow(address(registrar), registrar.register.selector, 11, SuffixRule.None, "");
        allow(address(registrar), registrar.adopt.selector, 11, SuffixRule.None, "");
        allow(address(registrar), registrar.registerFor.selector, 8, SuffixRule.None, "");
    }

    /// @dev A paid call of the registrar, of the requester.
    function registry(string memory name, address target, bytes memory data) internal {
        bytes32 intentId = nextIntent();
        Authorization memory a = Relay.authorizationOf(requester, 1000, keccak256(bytes(name)));
        bytes memory signature = Relay.sign(usdc, requesterKey, address(forwarder), a);
        vm.prank(relayer);
        forwarder.relayPaid(intentId, a, signature, 0, target, data);
        record("paid.", name);
    }
}

/// @notice Relayed calls of vaults: a claim of one among fifty, and the keeper's steps of fifty.
contract LargestVaultGasTest is LargestTest, SponsoredTest {
    function setUp() public override(GasTest, SponsoredTest) {
        super.setUp();
        allow(address(hook), hook.installSettlement.selector, 8, SuffixRule.None, "");
        allow(address(hook), hook.reconcile.selector, 8, SuffixRule.None, "");
    }

    function test_vaults() external {
        bytes32 taskId = createSponsored();
        submitAll(taskId);
        split(taskId, winners());
        (address[] memory workers, uint256[] memory amounts) = (new address[](AWARDS), new uint256[](AWARDS));
        for (uint256 i; i < AWARDS; i++) {
            (workers[i], amounts[i]) = (newcomer(i), REWARD / AWARDS);
        }
        // Another task whose end did not reach the vault.
        bytes32 missed = createSponsored();
        submitAll(missed);
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(vault.credit.selector), "");
        split(missed, winners());
        vm.clearMockedCalls();
        bytes memory data = abi.encodeCall(hook.reconcile, (missed, workers, amounts));
        opened("sponsoredTaskVaults.reconcile", address(hook), data);
        data = abi.encodeCall(hook.installSettlement, (taskId, workers, amounts));
        opened("sponsoredTaskVaults.settle", address(hook), data);
        // Six nodes are the proof of one among fifty: the root is made of the claim and six others.
        bytes32 allocation = keccak256("allocation");
        ClaimTo memory claim_ = aClaimOf(allocation);
        bytes32[] memory proof = new bytes32[](6);
        bytes32 node = leafOf(allocation, 0, alice, NET);
        for (uint256 i; i < proof.length; i++) {
            proof[i] = keccak256(abi.encode("node", i));
            node = Hashes.commutativeKeccak256(node, proof[i]);
        }
        chargeAndSettle(allocation, NET, node);
        bytes memory signature = signClaim(aliceKey, claim_);
        vm.prank(relayer);
        vault.claimTo(claim_, proof, signature);
        record("direct.", "sponsoredTaskVaults.claim");
    }
}

/// @notice Tokens to an account that has none.
contract LargestTokenGasTest is LargestTest, BonusTest {
    function setUp() public override(GasTest, BonusTest) {
        super.setUp();
        // Tokens of the worker; a market without default hooks from then on, as the figures beside this one.
        finish(createBounty());
        setDefault(address(0));
        allow(address(bonus), bonus.withdrawFor.selector, 8, SuffixRule.None, "");
    }

    function test_withdrawToken() external {
        bytes32 nonce = keccak256("nonce");
        uint256 validBefore = block.timestamp + 600;
        string memory text = string.concat(
            "service:withdraw-token:",
            Strings.toHexString(newcomer(0)),
            ":",
            Strings.toHexString(uint256(nonce), 32),
            ":",
            Strings.toString(validBefore)
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(aliceKey, MessageHashUtils.toEthSignedMessageHash(bytes(text)));
        bytes memory signature = abi.encodePacked(r, s, v);
        bytes memory data = abi.encodeCall(bonus.withdrawFor, (alice, newcomer(0), nonce, validBefore, signature));
        opened("wallet.withdrawToken", address(bonus), data);
    }
}
