// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, EvaluatorTerms, Status, TaskView, UpdateTaskParams} from "../../../src/types/TaskTypes.sol";
import {Acting} from "./Acting.sol";

/// @title Tasks of every mode, their updates, and evaluators assigned later
abstract contract CreateActions is Acting {
    /// @dev More live tasks than this are not followed to their ends within one run.
    uint256 private constant MOST_LIVE = 6;

    function createBounty(uint256 seed) external step(seed) {
        _create(Modes.BOUNTY, 0);
    }

    function createClaim(uint256 seed) external step(seed) {
        _create(Modes.CLAIM, 0);
    }

    function createPitch(uint256 seed) external step(seed) {
        _create(Modes.PITCH, 0);
    }

    function createBenchmark(uint256 seed) external step(seed) {
        _create(Modes.BENCHMARK, 0);
    }

    function createDutch(uint256 seed) external step(seed) {
        _create(Modes.AUCTION, Modes.DUTCH);
    }

    function createEnglish(uint256 seed) external step(seed) {
        _create(Modes.AUCTION, Modes.ENGLISH);
    }

    function createReverseDutch(uint256 seed) external step(seed) {
        _create(Modes.AUCTION, Modes.REVERSE_DUTCH);
    }

    function createReverseEnglish(uint256 seed) external step(seed) {
        _create(Modes.AUCTION, Modes.REVERSE_ENGLISH);
    }

    function updateTask(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isOpenTask);
        if (taskId == 0) return _advance();
        UpdateTaskParams memory params;
        params.taskId = taskId;
        uint256 term = _roll(6);
        if (term < 2) params.reward = uint96(_between(1000, uint256(task.reward) * 2));
        if (term > 0 && term < 4) params.expiryTime = uint40(block.timestamp + _between(1, 30 days));
        if (term == 4) {
            uint40 deadline = uint40(block.timestamp + _between(1, 5 days));
            if (task.pitchDeadline != 0) params.pitchDeadline = deadline;
            if (task.bidDeadline != 0) params.bidDeadline = deadline;
        }
        if (term == 5 && task.clockPrice != 0) params.clockPrice = uint96(_between(1, task.reward));
        if (_oneIn(4)) params.contentHash = _fresh();
        uint256 raise = params.reward > task.reward ? params.reward - task.reward : 0;
        _act(_mostly(task.requester), taskId, abi.encodeCall(MARKET.updateTask, (params)), raise);
    }

    function assignEvaluator(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isUnentered);
        if (taskId == 0) return _advance();
        uint256 requester = indexOf(task.requester);
        bytes memory data = abi.encodeCall(MARKET.assignEvaluator, (taskId, _evaluatorTerms(requester)));
        _act(_mostly(task.requester), taskId, data, 0);
    }

    /// @dev A task of any mode.
    function _createAny() internal {
        uint256 kind = _roll(8);
        if (kind == 0) _create(Modes.BOUNTY, 0);
        else if (kind == 1) _create(Modes.BENCHMARK, 0);
        else if (kind == 2) _create(Modes.PITCH, 0);
        else if (kind == 3) _create(Modes.AUCTION, Modes.DUTCH);
        else if (kind == 4) _create(Modes.AUCTION, Modes.ENGLISH);
        else if (kind == 5) _create(Modes.AUCTION, Modes.REVERSE_DUTCH);
        else if (kind == 6) _create(Modes.AUCTION, Modes.REVERSE_ENGLISH);
        else _create(Modes.CLAIM, 0);
    }

    /// @dev More time for an open task, for an account whose time is over.
    function _extend(bytes32 taskId, TaskView memory task) internal {
        UpdateTaskParams memory params;
        (params.taskId, params.expiryTime) = (taskId, uint40(block.timestamp + _between(1 hours, 5 days)));
        _act(_mostly(task.requester), taskId, abi.encodeCall(MARKET.updateTask, (params)), 0);
    }

    function _create(bytes4 mode, bytes4 auctionType) internal {
        if (_live.length >= MOST_LIVE) return _advance();
        uint256 requester = _anyAccount();
        CreateTaskParams memory params = _terms(mode, auctionType);
        if (_oneIn(2)) params.evaluation = _evaluatorTerms(requester);
        if (_oneIn(3)) params.hooks = _someHooks();
        params.hookData = abi.encode(_fresh());
        bytes32 taskId = MARKET.nextTaskId(actorAt(requester));
        if (_act(requester, 0, abi.encodeCall(MARKET.createTask, (params)), params.reward)) {
            _live.push(taskId);
            _checkTask(taskId);
        }
    }

    function _terms(bytes4 mode, bytes4 auctionType) private returns (CreateTaskParams memory params) {
        (params.mode, params.auctionType) = (mode, auctionType);
        // Small and odd amounts show what rounding does.
        params.reward = uint96(_oneIn(4) ? _between(1000, 1100) : _between(1000, 100e6));
        params.duration = uint40(_oneIn(16) ? 3650 days : _between(2 hours, 10 days));
        if (mode == Modes.PITCH && !_oneIn(4)) params.pitchDuration = uint40(_between(1 hours, params.duration));
        if (mode == Modes.AUCTION) params.bidDuration = uint40(_between(1 hours, params.duration - 1));
        bool isClock = auctionType == Modes.DUTCH || auctionType == Modes.REVERSE_DUTCH;
        if (isClock) params.clockPrice = uint96(_between(1, params.reward));
        if (mode == Modes.CLAIM && !_oneIn(3)) params.stakeBps = uint16(_between(1, 10_000));
        params.contentHash = _oneIn(4) ? bytes32(0) : _fresh();
        params.tags = new bytes32[](_roll(3));
        for (uint256 i; i < params.tags.length; i++) {
            params.tags[i] = _fresh();
        }
        params.listed = _oneIn(2);
    }

    /// @dev Other actors, neither the requester nor each other.
    function _evaluatorTerms(uint256 requester) private returns (EvaluatorTerms memory terms) {
        terms.evaluator = actorAt(requester + _between(1, 3));
        if (!_oneIn(4)) terms.resolver = actorAt(requester + _between(4, 7));
        // Now and then a fee of all that the platform's fee leaves.
        terms.feeBps = uint16(_oneIn(8) ? 10_000 - MARKET.feeBps() : _roll(2001));
        terms.evaluationWindow = uint40(_between(1 hours, 3 days));
        terms.appealWindow = uint40(_between(300, 2 days));
    }

    function _someHooks() private returns (address[] memory list) {
        list = new address[](_between(1, 3));
        // The first hooks are the owner's favourites for default hooks: two of the same are refused.
        uint256 first = _roll(HOOKS);
        for (uint256 i; i < list.length; i++) {
            list[i] = address(hooks[(first + i) % HOOKS]);
        }
    }

    function _isOpenTask(bytes32, TaskView memory task) private pure returns (bool) {
        return task.status == Status.Open && task.bidCount == 0;
    }

    function _isUnentered(bytes32, TaskView memory task) private pure returns (bool) {
        return task.status == Status.Open && !task.hasEvaluator
            && task.submissionCount + task.pitchCount + task.bidCount + task.round == 0;
    }
}
