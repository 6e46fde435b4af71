// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {PaymentForwarder} from "../../src/PaymentForwarder.sol";
import {TaskMarket} from "../../src/TaskMarket.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, RateParams, TaskView, UpdateTaskParams, Winner} from "../../src/types/TaskTypes.sol";
import {Relay} from "../support/Relay.sol";
import {LogLedger} from "./LogLedger.sol";

/// @title Eight accounts that do anything, directly or through the relay, while the world changes around them
/// @notice A call that the market refuses is not an error: the invariants must hold all the same. `successes` counts
/// the ones that went through, so that a test can show that every operation is reached.
contract BountyHandler is CommonBase, StdUtils {
    uint256 private constant ACTORS = 8;
    uint256 private constant ACTION_FEE = 1000;

    TaskMarket private immutable MARKET;
    PaymentForwarder private immutable FORWARDER;
    LocalUsdc private immutable USDC;
    LogLedger public immutable LEDGER;
    address private immutable OWNER;
    address private immutable RELAYER;

    /// @dev USDC given to the market by nobody's order, less what the owner swept.
    uint256 public donated;
    /// @dev USDC of lone authorizations that wait at the forwarder.
    uint256 public prepaid;
    mapping(bytes32 operation => uint256) public successes;

    address[ACTORS] private _actors;
    uint256 private _nonce;
    mapping(bytes32 taskId => mapping(address worker => bytes32)) private _lastDeliverable;
    IPaymentForwarder.Authorization[] private _lone;

    constructor(TaskMarket market, PaymentForwarder forwarder, LocalUsdc usdc, address owner, address relayer) {
        (MARKET, FORWARDER, USDC) = (market, forwarder, usdc);
        (OWNER, RELAYER) = (owner, relayer);
        LEDGER = new LogLedger();
        for (uint256 i; i < ACTORS; i++) {
            _actors[i] = vm.addr(keyOf(i));
        }
    }

    function keyOf(uint256 index) public pure returns (uint256) {
        return 0xAC700000 + index % ACTORS;
    }

    function actorAt(uint256 index) public view returns (address) {
        return _actors[index % ACTORS];
    }

    // --- The market's operations ---

    function createTask(uint256 actor, uint256 reward, uint256 duration, bool relayed) external {
        CreateTaskParams memory params;
        params.mode = Modes.BOUNTY;
        params.reward = uint96(bound(reward, 1000, 100e6));
        params.duration = uint40(bound(duration, 1, 30 days));
        bytes memory data = abi.encodeCall(MARKET.createTask, (params));
        _do("createTask", actor, data, params.reward, relayed);
    }

    function updateTask(uint256 task, uint256 reward, uint256 expiry, bool relayed) external {
        (bytes32 taskId, uint256 requester, TaskView memory view_) = _pick(task);
        if (taskId == 0) return;
        UpdateTaskParams memory params;
        params.taskId = taskId;
        if (reward % 3 > 0) params.reward = uint96(bound(reward, 1000, 100e6));
        if (expiry % 3 > 0) params.expiryTime = uint40(block.timestamp + bound(expiry, 1, 30 days));
        uint256 raise = params.reward > view_.reward ? params.reward - view_.reward : 0;
        _do("updateTask", requester, abi.encodeCall(MARKET.updateTask, (params)), raise, relayed);
    }

    function submitWork(uint256 task, uint256 actor, uint256 deliverable, bool relayed) external {
        (bytes32 taskId,,) = _pick(task);
        if (taskId == 0) return;
        bytes32 hash = bytes32(bound(deliverable, 1, 20));
        if (!relayed) {
            if (_do("submitWork", actor, abi.encodeCall(MARKET.submitWork, (taskId, hash)), 0, false)) {
                _lastDeliverable[taskId][actorAt(actor)] = hash;
            }
            return;
        }
        bytes memory signature = Relay.signMessage(keyOf(actor), "service:submit:", taskId, "");
        bytes memory data = abi.encodeCall(MARKET.submitWork, (taskId, hash));
        bytes memory relay =
            abi.encodeCall(FORWARDER.relaySigned, (_fresh(), actorAt(actor), signature, "", address(MARKET), data));
        if (_call("submitWork", RELAYER, address(FORWARDER), relay)) {
            _lastDeliverable[taskId][actorAt(actor)] = hash;
        }
    }

    function rejectSubmissions(uint256 task, uint256 worker, bool relayed) external {
        (bytes32 taskId, uint256 requester,) = _pick(task);
        if (taskId == 0) return;
        address[] memory workers = new address[](1);
        workers[0] = _submitter(taskId, worker);
        bytes memory data = abi.encodeCall(MARKET.rejectSubmissions, (taskId, workers));
        _do("rejectSubmissions", requester, data, 0, relayed);
    }

    function acceptSubmission(uint256 task, uint256 worker, bool relayed) external {
        (bytes32 taskId, uint256 requester,) = _pick(task);
        if (taskId == 0) return;
        address winner = _submitter(taskId, worker);
        bytes memory data = abi.encodeCall(MARKET.acceptSubmission, (taskId, winner, _lastDeliverable[taskId][winner]));
        _do("acceptSubmission", requester, data, 0, relayed);
    }

    function acceptSubmissions(uint256 task, uint256 first, uint256 share, bool relayed) external {
        (bytes32 taskId, uint256 requester,) = _pick(task);
        if (taskId == 0) return;
        address a = _submitter(taskId, first);
        address b = _submitter(taskId, first % ACTORS + 1);
        Winner[] memory winners = new Winner[](2);
        uint16 shareBps = uint16(bound(share, 1, 9999));
        winners[0] = Winner(a, shareBps, _lastDeliverable[taskId][a]);
        winners[1] = Winner(b, 10_000 - shareBps, _lastDeliverable[taskId][b]);
        bytes memory data = abi.encodeCall(MARKET.acceptSubmissions, (taskId, winners));
        _do("acceptSubmissions", requester, data, 0, relayed);
    }

    function cancelTask(uint256 task, bool relayed) external {
        (bytes32 taskId, uint256 requester,) = _pick(task);
        if (taskId == 0) return;
        _do("cancelTask", requester, abi.encodeCall(MARKET.cancelTask, (taskId)), 0, relayed);
    }

    function refundExpired(uint256 task, uint256 actor, bool relayed) external {
        (bytes32 taskId,,) = _pick(task);
        if (taskId == 0) return;
        _do("refundExpired", actor, abi.encodeCall(MARKET.refundExpired, (taskId)), 0, relayed);
    }

    function settleStale(uint256 task, uint256 actor) external {
        (bytes32 taskId,,) = _pick(task);
        if (taskId == 0) return;
        _do("settleStale", actor, abi.encodeCall(MARKET.settleStale, (taskId)), 0, false);
    }

    function rateTask(uint256 task, uint256 worker, bool relayed) external {
        (bytes32 taskId, uint256 requester,) = _pick(task);
        if (taskId == 0) return;
        RateParams memory params;
        (params.taskId, params.worker, params.rating) = (taskId, _submitter(taskId, worker), 80);
        _do("rateTask", requester, abi.encodeCall(MARKET.rateTask, (params)), 0, relayed);
    }

    function withdrawCredit(uint256 actor, uint256 to, bool relayed) external {
        bytes memory data = abi.encodeCall(MARKET.withdrawCredit, (actorAt(to)));
        _do("withdrawCredit", actor, data, 0, relayed);
    }

    function pushCredit(uint256 actor) external {
        _do("pushCredit", actor % ACTORS + 1, abi.encodeCall(MARKET.pushCredit, (actorAt(actor))), 0, false);
    }

    // --- The world around ---

    function warp(uint256 seconds_) external {
        // Mostly small steps; now and then past the stale deadline.
        uint256 most = seconds_ % 8 == 0 ? 120 days : 2 days;
        vm.warp(block.timestamp + bound(seconds_, 1, most));
    }

    function toggleBlacklist(uint256 actor) external {
        address account = actorAt(actor);
        if (USDC.isBlacklisted(account)) USDC.unBlacklist(account);
        else USDC.blacklist(account);
    }

    function toggleUsdcPause(uint256 seed) external {
        if (USDC.paused()) USDC.unpause();
        else if (seed % 4 == 0) USDC.pause();
    }

    function togglePause(uint256 seed) external {
        bool paused = MARKET.paused();
        vm.prank(OWNER);
        if (paused) MARKET.unpause();
        else if (seed % 2 == 0) MARKET.pause();
        else MARKET.setFeeBps(uint16(bound(seed, 0, 2000)));
    }

    function moveFeeRecipient(uint256 actor) external {
        vm.prank(OWNER);
        MARKET.setFeeRecipient(actorAt(actor));
    }

    function donate(uint256 actor, uint256 amount) external {
        amount = bound(amount, 1, 10e6);
        bytes memory data = abi.encodeCall(USDC.transfer, (address(MARKET), amount));
        if (_call("donate", actorAt(actor), address(USDC), data)) donated += amount;
    }

    function sweepExcess(uint256 to) external {
        bytes memory data = abi.encodeCall(MARKET.sweepExcess, (actorAt(to)));
        if (_call("sweepExcess", OWNER, address(MARKET), data)) donated = 0;
    }

    // --- The forwarder's own business ---

    function submitAuthorizationAlone(uint256 actor, uint256 value) external {
        value = bound(value, ACTION_FEE, 10e6);
        IPaymentForwarder.Authorization memory lone = Relay.authorizationOf(actorAt(actor), value, _fresh());
        bytes memory signature = Relay.sign(USDC, keyOf(actor), address(FORWARDER), lone);
        bytes memory data = abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            lone.from,
            address(FORWARDER),
            lone.value,
            lone.validAfter,
            lone.validBefore,
            lone.nonce,
            signature
        );
        if (!_call("submitAuthorizationAlone", actorAt(actor % ACTORS + 1), address(USDC), data)) return;
        prepaid += value;
        _lone.push(lone);
    }

    function relayPrepaid(uint256 seed) external {
        if (_lone.length == 0) return;
        IPaymentForwarder.Authorization memory lone = _lone[seed % _lone.length];
        CreateTaskParams memory params;
        (params.mode, params.reward, params.duration) = (Modes.BOUNTY, uint96(lone.value), 1 days);
        bytes memory data = abi.encodeCall(MARKET.createTask, (params));
        bytes memory relay = abi.encodeCall(
            FORWARDER.relayPrepaid, (_fresh(), lone, _signatureOf(lone), lone.value, address(MARKET), data)
        );
        if (_call("relayPrepaid", RELAYER, address(FORWARDER), relay)) prepaid -= lone.value;
    }

    function refundPrepaid(uint256 seed) external {
        if (_lone.length == 0) return;
        IPaymentForwarder.Authorization memory lone = _lone[seed % _lone.length];
        bytes memory refund = abi.encodeCall(FORWARDER.refundPrepaid, (lone, _signatureOf(lone)));
        if (_call("refundPrepaid", RELAYER, address(FORWARDER), refund)) prepaid -= lone.value;
    }

    function sweepFees(uint256 to) external {
        _call("sweepFees", OWNER, address(FORWARDER), abi.encodeCall(FORWARDER.sweepFees, (actorAt(to))));
    }

    // --- Steps ---

    /// @dev An operation of an actor: a call of its own, or a paid relay.
    function _do(bytes32 operation, uint256 actor, bytes memory data, uint256 escrow, bool relayed)
        private
        returns (bool)
    {
        if (!relayed) return _call(operation, actorAt(actor), address(MARKET), data);
        // Creating costs the reward alone, everything else the action fee.
        uint256 value = operation == "createTask" ? escrow : escrow + ACTION_FEE;
        IPaymentForwarder.Authorization memory authorization = Relay.authorizationOf(actorAt(actor), value, _fresh());
        bytes memory signature = Relay.sign(USDC, keyOf(actor), address(FORWARDER), authorization);
        bytes memory relay =
            abi.encodeCall(FORWARDER.relayPaid, (_fresh(), authorization, signature, escrow, address(MARKET), data));
        return _call(operation, RELAYER, address(FORWARDER), relay);
    }

    function _call(bytes32 operation, address from, address to, bytes memory data) private returns (bool success) {
        vm.recordLogs();
        vm.prank(from);
        (success,) = to.call(data);
        if (!success) return false;
        successes[operation]++;
        LEDGER.read(vm.getRecordedLogs(), address(MARKET));
    }

    /// @dev One of the latest tasks, its requester, and what the market says about it; zeros when there is none.
    function _pick(uint256 seed) private view returns (bytes32 taskId, uint256 requester, TaskView memory view_) {
        uint256 count = LEDGER.countTasks();
        if (count == 0) return (0, 0, view_);
        uint256 recent = count < 4 ? count : 4;
        taskId = LEDGER.taskIds(count - 1 - seed % recent);
        view_ = MARKET.getTask(taskId);
        while (actorAt(requester) != view_.requester) {
            requester++;
        }
    }

    /// @dev The first actor from `seed` on who submitted something, else just the actor.
    function _submitter(bytes32 taskId, uint256 seed) private view returns (address) {
        seed %= ACTORS;
        for (uint256 i; i < ACTORS; i++) {
            if (_lastDeliverable[taskId][actorAt(seed + i)] != 0) return actorAt(seed + i);
        }
        return actorAt(seed);
    }

    function _signatureOf(IPaymentForwarder.Authorization memory lone) private view returns (bytes memory) {
        uint256 index;
        while (actorAt(index) != lone.from) {
            index++;
        }
        return Relay.sign(USDC, keyOf(index), address(FORWARDER), lone);
    }

    function _fresh() private returns (bytes32) {
        return keccak256(abi.encode("fresh", ++_nonce));
    }
}
