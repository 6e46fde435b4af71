// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {
    Award,
    CreateTaskParams,
    Status,
    TaskView,
    UpdateTaskParams,
    Verdict,
    Winner
} from "../../../src/types/TaskTypes.sol";
import {BonusActing} from "./BonusActing.sol";

/// @title Tasks of every mode, from creation to any of their ends
/// @notice Each account is requester and worker of different tasks, now and then of the same one.
abstract contract BonusTasks is BonusActing {
    uint256 private constant STALE_AFTER = 90 days;

    bytes32[] private _live;
    bytes32[] internal _all;

    function create(uint256 seed) external step(seed) {
        CreateTaskParams memory params;
        bytes4[5] memory modes = [Modes.BOUNTY, Modes.BENCHMARK, Modes.CLAIM, Modes.PITCH, Modes.AUCTION];
        params.mode = modes[_roll(5)];
        if (params.mode == Modes.AUCTION) {
            bytes4[4] memory types = [Modes.DUTCH, Modes.REVERSE_DUTCH, Modes.ENGLISH, Modes.REVERSE_ENGLISH];
            uint256 kind = _roll(4);
            (params.auctionType, params.bidDuration) = (types[kind], 5 days);
            if (kind < 2) params.clockPrice = 1000;
        }
        params.reward = uint96(_oneIn(3) ? 1000 + _roll(20_000) : 1e6 + _roll(1000e6));
        params.duration = 30 days;
        if (_oneIn(4)) {
            params.evaluation.evaluator = _anybody();
            params.evaluation.resolver = _anybody();
            params.evaluation.feeBps = uint16(_roll(1000));
            (params.evaluation.evaluationWindow, params.evaluation.appealWindow) = (30 days, 300);
        }
        vm.prank(_anybody());
        try MARKET.createTask(params) returns (bytes32 taskId) {
            _live.push(taskId);
            _all.push(taskId);
        } catch {}
    }

    /// @dev Takes a task one step further: entry, assignment, delivery or payment.
    function advance(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _pick();
        if (taskId == 0) return;
        address worker = _anybody();
        if (task.status == Status.Open) {
            _enter(taskId, task, worker);
        } else if (task.status == Status.PendingApproval) {
            _do(task.requester, abi.encodeCall(MARKET.acceptSubmission, (taskId, task.worker, "x")));
        } else if (task.status == Status.Review) {
            _judge(taskId, task, task.worker);
        } else if (task.status == Status.Appealing) {
            if (_oneIn(3)) _do(task.worker, abi.encodeCall(MARKET.appeal, (taskId)));
            else _finalize(taskId);
        } else if (task.status == Status.Disputed) {
            _resolve(taskId, task);
        } else {
            _do(task.worker, abi.encodeCall(MARKET.submitWork, (taskId, "x")));
        }
    }

    /// @dev Every way in which a task ends or goes back without an acceptance.
    function leave(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _pick();
        if (taskId == 0) return;
        uint256 way = _roll(6);
        if (way == 0) {
            _do(task.requester, abi.encodeCall(MARKET.cancelTask, (taskId)));
        } else if (way < 3) {
            _reopen(taskId, task);
        } else if (way == 3) {
            _wait(task.expiryTime);
            _do(_anybody(), abi.encodeCall(MARKET.refundExpired, (taskId)));
        } else if (way == 4) {
            _wait(MARKET.evaluationOf(taskId).phaseDeadline);
            _do(task.requester, abi.encodeCall(MARKET.evaluatorTimeout, (taskId)));
        } else {
            _wait(uint256(task.expiryTime) + STALE_AFTER);
            _do(_anybody(), abi.encodeCall(MARKET.settleStale, (taskId)));
        }
    }

    /// @dev Takes an expired claim back, and gives the next one time: it locks what then is in force.
    function _reopen(bytes32 taskId, TaskView memory task) private {
        if (task.mode != Modes.CLAIM || task.status != Status.Claimed) return;
        _wait(task.expiryTime);
        UpdateTaskParams memory params;
        (params.taskId, params.expiryTime) = (taskId, uint40(block.timestamp + 30 days));
        _do(task.requester, abi.encodeCall(MARKET.forfeitAndReopen, (taskId)));
        _do(task.requester, abi.encodeCall(MARKET.updateTask, (params)));
    }

    /// @dev A task that goes on; one that has ended is forgotten.
    function _pick() private returns (bytes32 taskId, TaskView memory task) {
        if (_live.length == 0) return (taskId, task);
        uint256 index = _roll(_live.length);
        taskId = _live[index];
        task = MARKET.getTask(taskId);
        if (task.status < Status.Completed) return (taskId, task);
        _live[index] = _live[_live.length - 1];
        _live.pop();
        taskId = 0;
    }

    function _enter(bytes32 taskId, TaskView memory task, address worker) private {
        if (task.mode == Modes.CLAIM) {
            _do(worker, abi.encodeCall(MARKET.claimTask, (taskId, 0)));
        } else if (task.mode == Modes.AUCTION) {
            _offer(taskId, task, worker);
        } else if (task.mode == Modes.PITCH) {
            _do(worker, abi.encodeCall(MARKET.submitPitch, (taskId, "p")));
            if (_oneIn(2)) _do(task.requester, abi.encodeCall(MARKET.selectWorker, (taskId, worker)));
        } else if (task.activeSubmissions < 2 || _oneIn(3)) {
            if (task.mode == Modes.BENCHMARK) {
                _do(worker, abi.encodeCall(MARKET.submitProof, (taskId, "x", bytes32(0), _roll(100))));
            }
            _do(worker, abi.encodeCall(MARKET.submitWork, (taskId, "x")));
        } else if (task.hasEvaluator) {
            if (_oneIn(2)) _wait(task.expiryTime);
            _judge(taskId, task, worker);
        } else {
            _split(taskId, task);
        }
    }

    /// @dev Takes a clock's price, or bids; now and then the lowest bid wins.
    function _offer(bytes32 taskId, TaskView memory task, address worker) private {
        if (task.clockPrice != 0) {
            _do(worker, abi.encodeCall(MARKET.acceptAuction, (taskId, 0)));
            return;
        }
        _do(worker, abi.encodeCall(MARKET.submitBid, (taskId, uint96(_between(1000, task.reward)))));
        if (_oneIn(2)) return;
        _wait(task.bidDeadline);
        _do(_anybody(), abi.encodeCall(MARKET.selectLowestBidder, (taskId)));
    }

    /// @dev Among all who submitted, in uneven parts.
    function _split(bytes32 taskId, TaskView memory task) private {
        Winner[] memory all = new Winner[](ACTORS);
        uint256 count;
        for (uint256 i; i < ACTORS; i++) {
            if (MARKET.entryOf(taskId, actorAt(i)).active == 0) continue;
            all[count++] = Winner(actorAt(i), uint16(_between(1, 1000)), "x");
        }
        if (count == 0) return;
        Winner[] memory winners = new Winner[](count);
        uint16 rest = 10_000;
        for (uint256 i; i < count; i++) {
            winners[i] = all[i];
            if (i == count - 1) winners[i].shareBps = rest;
            rest -= winners[i].shareBps;
        }
        _do(task.requester, abi.encodeCall(MARKET.acceptSubmissions, (taskId, winners)));
    }

    function _judge(bytes32 taskId, TaskView memory task, address worker) private {
        uint256 base = task.price == 0 ? task.reward : task.price;
        uint256 net = base - base * MARKET.evaluationOf(taskId).feeBps / 10_000;
        (Verdict verdict, Award[] memory awards) = _decide(worker, net);
        if (_oneIn(8)) (verdict, awards) = (Verdict.Reject, new Award[](0));
        _do(
            MARKET.evaluationOf(taskId).evaluator,
            abi.encodeCall(MARKET.evaluate, (taskId, verdict, 1000, 1000, 0, awards))
        );
    }

    function _resolve(bytes32 taskId, TaskView memory task) private {
        (Verdict verdict, Award[] memory awards) = _decide(task.worker, task.escrow);
        _do(MARKET.evaluationOf(taskId).resolver, abi.encodeCall(MARKET.resolveDispute, (taskId, verdict, awards)));
    }

    /// @dev All of it, or a part.
    function _decide(address worker, uint256 most) private returns (Verdict verdict, Award[] memory awards) {
        bool isPartial = _oneIn(3);
        verdict = isPartial ? Verdict.Partial : Verdict.Approve;
        awards = new Award[](1);
        awards[0] = Award(worker, uint80(isPartial ? _roll(most) + 1 : most), 1);
    }

    function _finalize(bytes32 taskId) private {
        _wait(block.timestamp + 300);
        _do(_anybody(), abi.encodeCall(MARKET.finalizeVerdict, (taskId)));
    }

    function _wait(uint256 time) private {
        if (block.timestamp < time) vm.warp(time);
    }
}
