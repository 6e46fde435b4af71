// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {PaymentForwarder} from "../../src/PaymentForwarder.sol";
import {TaskMarket} from "../../src/TaskMarket.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../../src/interfaces/ITaskMarketEvents.sol";
import {IdentityRegistry} from "../../src/local/IdentityRegistry.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {ReputationRegistry} from "../../src/local/ReputationRegistry.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Authorization, Route, SuffixRule} from "../../src/types/RelayTypes.sol";
import {
    Award,
    CreateTaskParams,
    EvaluatorTerms,
    Status,
    UpdateTaskParams,
    Verdict,
    Winner
} from "../../src/types/TaskTypes.sol";
import {CompiledCode} from "./CompiledCode.sol";
import {Relay} from "./Relay.sol";

/// @title Market, forwarder and stand-ins of a local chain, with named actors
abstract contract MarketTest is CompiledCode, ITaskMarketEvents {
    uint256 internal constant REWARD = 10e6;
    uint40 internal constant DURATION = 1 days;
    uint16 internal constant FEE_BPS = 750;

    LocalUsdc internal usdc = LocalUsdc(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
    IdentityRegistry internal identity = IdentityRegistry(0x8004A169FB4a3325136EB29fA0ceB6D2e539a432);
    ReputationRegistry internal reputation = ReputationRegistry(0x8004BAa17C55a88189AE136b182e5fdA19dE9b63);
    PaymentForwarder internal forwarder;
    TaskMarket internal market;

    uint256 internal requesterKey = 0xA11CE0;
    uint256 internal aliceKey = 0xA11CE1;
    uint256 internal bobKey = 0xA11CE2;
    address internal requester = vm.addr(requesterKey);
    address internal alice = vm.addr(aliceKey);
    address internal bob = vm.addr(bobKey);
    address internal stranger = makeAddr("stranger");
    address internal evaluator = makeAddr("evaluator");
    address internal resolver = makeAddr("resolver");
    address internal owner = makeAddr("owner");
    address internal relayer = makeAddr("relayer");
    address internal feeRecipient = makeAddr("feeRecipient");

    uint256 private _intents;

    function setUp() public virtual {
        placeLibraries();
        deployTo("LocalUsdc", address(usdc));
        deployTo("IdentityRegistry", address(identity));
        deployTo("ReputationRegistry", address(reputation));
        usdc.initialize(address(this));
        usdc.configureMinter(address(this), type(uint256).max);
        forwarder = PaymentForwarder(deploy("PaymentForwarder", abi.encode(owner, usdc, "service")));
        TaskMarket.Setup memory setup = TaskMarket.Setup({
            owner: owner,
            usdc: address(usdc),
            forwarder: address(forwarder),
            feeRecipient: feeRecipient,
            feeBps: FEE_BPS,
            identityRegistry: address(identity),
            reputationRegistry: address(reputation)
        });
        market = TaskMarket(deploy("TaskMarket", abi.encode(setup)));
        vm.prank(owner);
        forwarder.setRelayer(relayer, true);
        fund(requester);
    }

    // --- Builders ---

    /// @dev Returns a bounty with the required terms alone.
    function aBounty() internal pure returns (CreateTaskParams memory params) {
        params.mode = Modes.BOUNTY;
        params.reward = uint96(REWARD);
        params.duration = DURATION;
        params.contentHash = keccak256("content");
    }

    /// @dev Returns a claim task with a stake of a tenth.
    function aClaim() internal pure returns (CreateTaskParams memory params) {
        params = aBounty();
        (params.mode, params.stakeBps) = (Modes.CLAIM, 1000);
    }

    /// @dev Returns a pitch task whose pitch deadline is half of its duration.
    function aPitchTask() internal pure returns (CreateTaskParams memory params) {
        params = aBounty();
        (params.mode, params.pitchDuration) = (Modes.PITCH, DURATION / 2);
    }

    function aBenchmark() internal pure returns (CreateTaskParams memory params) {
        params = aBounty();
        params.mode = Modes.BENCHMARK;
    }

    /// @dev Returns an auction whose bid deadline is half of its duration; a clock's other price is a quarter of the
    /// reward.
    function anAuction(bytes4 auctionType) internal pure returns (CreateTaskParams memory params) {
        params = aBounty();
        (params.mode, params.auctionType, params.bidDuration) = (Modes.AUCTION, auctionType, DURATION / 2);
        if (auctionType == Modes.DUTCH || auctionType == Modes.REVERSE_DUTCH) params.clockPrice = uint96(REWARD / 4);
    }

    /// @dev Returns one task of every mode and auction subtype, in the order of `Kind`.
    function oneOfEach() internal pure returns (CreateTaskParams[8] memory) {
        return [
            aBounty(),
            aClaim(),
            aPitchTask(),
            aBenchmark(),
            anAuction(Modes.DUTCH),
            anAuction(Modes.ENGLISH),
            anAuction(Modes.REVERSE_DUTCH),
            anAuction(Modes.REVERSE_ENGLISH)
        ];
    }

    /// @dev Returns terms of 5 % for the evaluator, two hours to judge, one hour to appeal.
    function evaluatorTerms() internal view returns (EvaluatorTerms memory) {
        return EvaluatorTerms({
            evaluator: evaluator, resolver: resolver, feeBps: 500, evaluationWindow: 2 hours, appealWindow: 1 hours
        });
    }

    function evaluated(CreateTaskParams memory params) internal view returns (CreateTaskParams memory) {
        params.evaluation = evaluatorTerms();
        return params;
    }

    function anUpdate(bytes32 taskId) internal pure returns (UpdateTaskParams memory params) {
        params.taskId = taskId;
    }

    function aRaise(bytes32 taskId, uint256 reward) internal pure returns (UpdateTaskParams memory params) {
        (params.taskId, params.reward) = (taskId, uint96(reward));
    }

    /// @dev Mints USDC to an account and approves the market to take it.
    function fund(address account) internal {
        usdc.mint(account, 1_000_000e6);
        vm.prank(account);
        usdc.approve(address(market), type(uint256).max);
    }

    // --- Steps, as direct calls ---

    function createBounty() internal returns (bytes32) {
        return create(aBounty());
    }

    function create(CreateTaskParams memory params) internal returns (bytes32) {
        vm.prank(requester);
        return market.createTask(params);
    }

    function claim(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.claimTask(taskId, 0);
    }

    function pitch(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.submitPitch(taskId, keccak256(abi.encode("pitch", worker)));
    }

    function select(bytes32 taskId, address worker) internal {
        vm.prank(requester);
        market.selectWorker(taskId, worker);
    }

    function bid(bytes32 taskId, address worker, uint256 price) internal {
        vm.prank(worker);
        market.submitBid(taskId, uint96(price));
    }

    /// @dev Issues a verdict whose scores and evidence differ, so that a test can tell them apart.
    function evaluate(bytes32 taskId, Verdict verdict, Award[] memory awards) internal {
        vm.prank(evaluator);
        market.evaluate(taskId, verdict, 900, 800, keccak256("evidence"), awards);
    }

    /// @dev Issues a verdict from the expiry on, when a contest accepts every verdict.
    function evaluateExpired(bytes32 taskId, Verdict verdict, Award[] memory awards) internal {
        uint40 expiryTime = market.getTask(taskId).expiryTime;
        if (block.timestamp < expiryTime) vm.warp(expiryTime);
        evaluate(taskId, verdict, awards);
    }

    function oneAward(address worker, uint256 amount) internal pure returns (Award[] memory awards) {
        awards = new Award[](1);
        awards[0] = Award(worker, uint80(amount), 1);
    }

    function noAwards() internal pure returns (Award[] memory) {
        return new Award[](0);
    }

    function submit(bytes32 taskId, address worker, bytes32 deliverable) internal {
        vm.prank(worker);
        market.submitWork(taskId, deliverable);
    }

    function reject(bytes32 taskId, address worker) internal {
        vm.prank(requester);
        market.rejectSubmissions(taskId, asList(worker));
    }

    function accept(bytes32 taskId, address worker, bytes32 deliverable) internal {
        vm.prank(requester);
        market.acceptSubmission(taskId, worker, deliverable);
    }

    function split(bytes32 taskId, Winner[] memory winners) internal {
        vm.prank(requester);
        market.acceptSubmissions(taskId, winners);
    }

    function cancel(bytes32 taskId) internal {
        vm.prank(requester);
        market.cancelTask(taskId);
    }

    function prove(bytes32 taskId, address worker, bytes32 proofHash) internal {
        vm.prank(worker);
        market.submitProof(taskId, proofHash, keccak256("eval"), 42);
    }

    function assignEvaluator(bytes32 taskId, EvaluatorTerms memory terms) internal {
        vm.prank(requester);
        market.assignEvaluator(taskId, terms);
    }

    function update(UpdateTaskParams memory params) internal {
        vm.prank(requester);
        market.updateTask(params);
    }

    function pauseEntries() internal {
        vm.prank(owner);
        market.pause();
    }

    /// @dev Creates a task of any mode with one worker and assigns alice. Bids end at half of its duration.
    function createAssigned(CreateTaskParams memory params) internal returns (bytes32 taskId) {
        taskId = create(params);
        if (params.mode == Modes.CLAIM) {
            fund(alice);
            claim(taskId, alice);
        } else if (params.mode == Modes.PITCH) {
            pitch(taskId, alice);
            select(taskId, alice);
        } else if (params.clockPrice > 0) {
            vm.prank(alice);
            market.acceptAuction(taskId, 0);
        } else {
            bid(taskId, alice, params.reward / 2);
            vm.warp(block.timestamp + params.bidDuration);
            market.selectLowestBidder(taskId);
        }
    }

    /// @dev Creates a bounty that the requester accepted from alice.
    function createCompleted() internal returns (bytes32 taskId) {
        taskId = createBounty();
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
    }

    /// @dev Cancels a bounty while its requester cannot receive: its reward becomes the requester's credit.
    function createCredit() internal returns (bytes32 taskId) {
        taskId = createBounty();
        usdc.blacklist(requester);
        cancel(taskId);
        usdc.unBlacklist(requester);
    }

    // --- Steps, relayed ---

    function allow(address target, bytes4 selector, uint8 relayModes, SuffixRule rule, string memory verb) internal {
        vm.prank(owner);
        forwarder.setRoute(Route(target, selector, relayModes, rule, verb));
    }

    function allowPaid(bytes4 selector) internal {
        allow(address(market), selector, 3, SuffixRule.None, "");
    }

    function nextIntent() internal returns (bytes32) {
        // Numbered, as the service does it: 256 of them share a word of the forwarder's storage.
        return bytes32((uint256(keccak256("intents")) << 64) | ++_intents);
    }

    /// @dev Makes a paid relay with a fresh intent and authorization.
    function relayPaid(uint256 payerKey, uint256 value, uint256 escrow, bytes memory data)
        internal
        returns (bytes memory)
    {
        bytes32 intentId = nextIntent();
        Authorization memory authorization =
            Relay.authorizationOf(vm.addr(payerKey), value, keccak256(abi.encode("nonce", intentId)));
        bytes memory signature = Relay.sign(usdc, payerKey, address(forwarder), authorization);
        vm.prank(relayer);
        return forwarder.relayPaid(intentId, authorization, signature, escrow, address(market), data);
    }

    /// @dev Makes a paid relay with a fresh intent and a payment that is bound to the call.
    function relayBound(uint256 payerKey, uint256 value, uint256 escrow, bytes memory data)
        internal
        returns (bytes memory)
    {
        bytes32 intentId = nextIntent();
        bytes32 salt = keccak256(abi.encode("salt", intentId));
        bytes32 nonce = forwarder.boundNonceOf(address(market), data, escrow, salt);
        Authorization memory authorization = Relay.authorizationOf(vm.addr(payerKey), value, nonce);
        bytes memory signature = Relay.signReceipt(usdc, payerKey, address(forwarder), authorization);
        vm.prank(relayer);
        return forwarder.relayBound(intentId, authorization, signature, escrow, salt, address(market), data);
    }

    /// @dev Makes a free relay with a fresh intent, in the name of the key that signs
    /// `service:<verb>:<taskId><suffix>`.
    function relaySigned(uint256 actorKey, string memory verb, bytes32 taskId, string memory suffix, bytes memory data)
        internal
    {
        bytes32 intentId = nextIntent();
        bytes memory signature = Relay.signMessage(actorKey, string.concat("service:", verb, ":"), taskId, suffix);
        vm.prank(relayer);
        forwarder.relaySigned(intentId, vm.addr(actorKey), signature, suffix, address(market), data);
    }

    // --- Small things ---

    function asList(address account) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = account;
    }

    function asList(address first, address second) internal pure returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (first, second);
    }

    function winnersOf(address first, uint16 firstShare, address second, uint16 secondShare)
        internal
        pure
        returns (Winner[] memory winners)
    {
        winners = new Winner[](2);
        winners[0] = Winner(first, firstShare, "a1");
        winners[1] = Winner(second, secondShare, "b1");
    }

    function expectError(bytes4 selector) internal {
        vm.expectRevert(abi.encodeWithSelector(selector));
    }

    function expectError(bytes4 selector, uint256 first) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, first));
    }

    function expectError(bytes4 selector, uint256 first, uint256 second) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, first, second));
    }

    function expectError(bytes4 selector, address first) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, first));
    }

    function expectLog() internal {
        vm.expectEmit(address(market));
    }

    function expectTaskNotFound(bytes32 taskId) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, taskId));
    }

    function expectWrongMode(bytes4 selector) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.WrongMode.selector, selector));
    }

    function expectWrongStatus(Status status) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.WrongStatus.selector, status));
    }

    /// @dev Returns how often the market logged an event since `vm.recordLogs`, and clears the recorded logs.
    function countLogs(bytes32 topic) internal returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].emitter == address(market) && logs[i].topics[0] == topic) count++;
        }
    }
}
