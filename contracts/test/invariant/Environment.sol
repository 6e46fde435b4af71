// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdAssertions} from "forge-std/StdAssertions.sol";
import {PaymentForwarder} from "../../src/PaymentForwarder.sol";
import {TaskMarket} from "../../src/TaskMarket.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {EntryView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {HostileRegistry} from "../support/HostileRegistry.sol";
import {HostileHook} from "./HostileHook.sol";
import {LogLedger} from "./ledger/LogLedger.sol";

/// @title Environment of a run: contracts, eight accounts, hooks, random choices, and the present tasks
/// @notice Each of the accounts is requester, worker, evaluator and resolver of different tasks.
abstract contract Environment is CommonBase, StdAssertions {
    struct Stage {
        TaskMarket market;
        PaymentForwarder forwarder;
        LocalUsdc usdc;
        LogLedger ledger;
        address owner;
        address relayer;
        address identity;
        address reputation;
    }

    uint256 public constant ACTORS = 8;
    uint256 internal constant HOOKS = 8;

    TaskMarket internal immutable MARKET;
    PaymentForwarder internal immutable FORWARDER;
    LocalUsdc internal immutable USDC;
    LogLedger internal immutable LEDGER;
    address internal immutable RELAYER;
    address internal immutable IDENTITY;
    address internal immutable REPUTATION;
    HostileRegistry internal immutable REGISTRY;

    /// @dev Owner of market and forwarder; zero once it is given up.
    address public owner;
    HostileHook[] public hooks;

    address[ACTORS] private _actors;
    bytes32 private _dice;
    uint256 private _freshWords;

    bytes32[] internal _live;
    bytes32[] internal _completed;
    /// @dev Hash of a task's views when it ended, without its ratings; zero before.
    mapping(bytes32 taskId => bytes32) public finalHashes;
    /// @dev Number of times that a task was in a status after a step.
    mapping(Status status => uint256) public visits;

    constructor(Stage memory stage) {
        (MARKET, FORWARDER, USDC, LEDGER) = (stage.market, stage.forwarder, stage.usdc, stage.ledger);
        (owner, RELAYER) = (stage.owner, stage.relayer);
        (IDENTITY, REPUTATION) = (stage.identity, stage.reputation);
        REGISTRY = new HostileRegistry();
        for (uint256 i; i < ACTORS; i++) {
            _actors[i] = vm.addr(keyOf(i));
        }
        for (uint256 i; i < HOOKS; i++) {
            hooks.push(new HostileHook(stage.market));
        }
    }

    /// @dev Seeds the random choices of a step, so that it has as many as it needs.
    modifier step(uint256 seed) {
        _dice = keccak256(abi.encode(_dice, seed));
        _;
    }

    /// @dev Marks a step that changes the environment; an account acts after it.
    modifier change(uint256 seed) {
        _dice = keccak256(abi.encode(_dice, seed));
        _;
        _advance();
    }

    // --- Who ---

    function keyOf(uint256 index) public pure returns (uint256) {
        return 0xAC700000 + index % ACTORS;
    }

    function actorAt(uint256 index) public view returns (address) {
        return _actors[index % ACTORS];
    }

    /// @dev Returns the number of an account; `ACTORS` when it is none of them.
    function indexOf(address account) public view returns (uint256 index) {
        while (index < ACTORS && _actors[index] != account) {
            index++;
        }
    }

    function _anyAccount() internal returns (uint256) {
        return _roll(ACTORS);
    }

    /// @dev Returns the account that the step belongs to; now and then another one.
    function _mostly(address rightful) internal returns (uint256) {
        uint256 index = indexOf(rightful);
        return index == ACTORS || _oneIn(16) ? _anyAccount() : index;
    }

    // --- Dice ---

    function _roll(uint256 sides) internal returns (uint256) {
        _dice = keccak256(abi.encode(_dice));
        return uint256(_dice) % sides;
    }

    function _between(uint256 least, uint256 most) internal returns (uint256) {
        return least + _roll(most - least + 1);
    }

    function _oneIn(uint256 sides) internal returns (bool) {
        return _roll(sides) == 0;
    }

    function _fresh() internal returns (bytes32) {
        return keccak256(abi.encode("fresh", ++_freshWords));
    }

    // --- Tasks ---

    /// @dev Returns a live task that suits, from a random one on; now and then a random task. Zeros when there is none.
    function _find(function(bytes32, TaskView memory) view returns (bool) suits)
        internal
        returns (bytes32 taskId, TaskView memory task)
    {
        if (_oneIn(24)) return _anyTask();
        uint256 count = _live.length;
        if (count == 0) return (0, task);
        uint256 start = _roll(count);
        for (uint256 i; i < count; i++) {
            taskId = _live[(start + i) % count];
            task = MARKET.getTask(taskId);
            if (suits(taskId, task)) return (taskId, task);
        }
        delete task;
        return (0, task);
    }

    function _anyTask() internal returns (bytes32 taskId, TaskView memory task) {
        bytes32[] memory all = LEDGER.taskIds();
        if (all.length == 0) return (0, task);
        taskId = all[_roll(all.length)];
        return (taskId, MARKET.getTask(taskId));
    }

    function liveTasks() external view returns (bytes32[] memory) {
        return _live;
    }

    /// @dev Updates the lists, and stores the hash of a task that just ended.
    function _noteTask(bytes32 taskId) internal {
        Status status = MARKET.getTask(taskId).status;
        visits[status]++;
        if (finalHashes[taskId] != 0 || !LEDGER.isTerminal(taskId)) return;
        finalHashes[taskId] = hashOf(taskId);
        if (status == Status.Completed) _completed.push(taskId);
        for (uint256 i; i < _live.length; i++) {
            if (_live[i] != taskId) continue;
            _live[i] = _live[_live.length - 1];
            _live.pop();
            return;
        }
    }

    /// @dev Returns the hash of a task's views, without its ratings.
    function hashOf(bytes32 taskId) public view returns (bytes32 hash) {
        hash = keccak256(abi.encode(MARKET.getTask(taskId), MARKET.evaluationOf(taskId), MARKET.awardsHash(taskId)));
        for (uint256 i; i < ACTORS; i++) {
            EntryView memory entry = MARKET.entryOf(taskId, actorAt(i));
            entry.rated = false;
            hash = keccak256(abi.encode(hash, entry));
        }
    }

    /// @dev Moves any live task one step further, or creates one.
    function _advance() internal virtual;

    /// @dev Takes the step that brings the task furthest.
    function _pursue(bytes32 taskId, TaskView memory task) internal virtual;

    /// @dev Replaces a step for which no task is ready: it moves a task further that may become ready, or any.
    function _prepare(function(bytes32, TaskView memory) view returns (bool) mayBecomeReady) internal {
        (bytes32 taskId, TaskView memory task) = _find(mayBecomeReady);
        if (taskId == 0 || _oneIn(8)) _advance();
        else _pursue(taskId, task);
    }
}
