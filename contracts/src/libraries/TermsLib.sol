// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {CreateTaskParams, EvaluatorTerms, ReturnReason, Status, Terms, UpdateTaskParams} from "../types/TaskTypes.sol";
import {Money} from "./Money.sol";
import {Tasks} from "./Tasks.sol";

/// @title Creating tasks and changing their terms
library TermsLib {
    /// @dev See ITaskMarket.createTask.
    function createTask(MarketStorage storage market, IERC20 usdc, address requester, CreateTaskParams calldata params)
        external
        returns (bytes32 taskId)
    {
        // Check:
        if (market.paused) revert ITaskMarket.EntriesPaused();
        _checkTerms(params);

        // Effect:
        uint256 nonce = market.nonces[requester]++;
        taskId = keccak256(abi.encode(block.chainid, address(this), requester, nonce));
        Terms memory terms = _store(market.tasks[taskId], requester, market.feeBps, params);
        terms.nonce = nonce;

        // Interaction:
        Money.take(market, usdc, params.reward);

        // Log:
        emit ITaskMarketEvents.TaskCreated(taskId, requester, params.mode, terms);
    }

    /// @dev See ITaskMarket.updateTask.
    function updateTask(MarketStorage storage market, IERC20 usdc, address requester, UpdateTaskParams calldata params)
        external
    {
        // Check:
        Task storage task = Tasks.getOpenOf(market, params.taskId, requester);
        if (params.pitchDeadline != 0 || params.bidDeadline != 0 || params.clockPrice != 0) {
            revert ITaskMarket.InvalidTerms();
        }
        uint256 reward = task.reward;
        uint256 newReward = params.reward == 0 ? reward : params.reward;
        uint256 newExpiry = _newExpiry(task, params.expiryTime);
        bytes32 newContentHash = params.contentHash == 0 ? task.contentHash : params.contentHash;
        if (newReward == reward && newExpiry == task.expiryTime && newContentHash == task.contentHash) {
            revert ITaskMarket.NothingToUpdate();
        }
        _checkReward(newReward);
        if (newReward < reward && task.submissionCount > 0) revert ITaskMarket.TermsLocked(task.submissionCount);
        if (newReward > reward && market.paused) revert ITaskMarket.EntriesPaused();

        // Effect:
        task.reward = uint80(newReward);
        task.escrow = uint80(newReward);
        task.expiryTime = uint40(newExpiry);
        if (newContentHash != task.contentHash) task.contentHash = newContentHash;

        // Interaction:
        if (newReward > reward) Money.take(market, usdc, newReward - reward);
        if (newReward < reward) _returnDecrease(market, usdc, params.taskId, requester, reward - newReward);

        // Log:
        emit ITaskMarketEvents.TaskUpdated(params.taskId, uint96(newReward), uint40(newExpiry), 0, 0, 0, newContentHash);
    }

    function _checkTerms(CreateTaskParams calldata params) private pure {
        if (params.mode != Modes.BOUNTY) revert ITaskMarket.WrongMode(params.mode);
        // A bounty has one window and no price but its reward.
        if (
            params.auctionType != 0 || params.pitchDuration != 0 || params.bidDuration != 0 || params.clockPrice != 0
                || params.stakeBps != 0
        ) revert ITaskMarket.InvalidTerms();
        _checkReward(params.reward);
        if (params.duration == 0 || params.duration > Limits.MAX_DURATION) {
            revert ITaskMarket.InvalidDuration(params.duration);
        }
        if (params.tags.length > Limits.MAX_TAGS) {
            revert ITaskMarket.TooManyTags(params.tags.length, Limits.MAX_TAGS);
        }
        if (!_isEmpty(params.evaluation)) revert ITaskMarket.EvaluatorNotAvailable();
        if (params.hooks.length > 0) revert ITaskMarket.HooksNotAvailable();
        if (params.hookData.length > Limits.MAX_HOOK_DATA) {
            revert ITaskMarket.HookDataTooLong(params.hookData.length, Limits.MAX_HOOK_DATA);
        }
    }

    function _checkReward(uint256 reward) private pure {
        if (reward < Limits.MIN_REWARD) revert ITaskMarket.RewardTooLow(reward, Limits.MIN_REWARD);
        if (reward > Limits.MAX_TOTAL_ESCROW) revert ITaskMarket.AmountTooLarge(reward, Limits.MAX_TOTAL_ESCROW);
    }

    function _isEmpty(EvaluatorTerms calldata terms) private pure returns (bool) {
        return terms.evaluator == address(0) && terms.resolver == address(0) && terms.feeBps == 0
            && terms.evaluationWindow == 0 && terms.appealWindow == 0;
    }

    /// @dev An extension is always welcome, also after expiry; what workers counted on is never shortened.
    function _newExpiry(Task storage task, uint256 expiry) private view returns (uint256) {
        uint256 present = task.expiryTime;
        if (expiry == 0 || expiry == present) return present;
        if (expiry <= block.timestamp || expiry > block.timestamp + Limits.MAX_DURATION) {
            revert ITaskMarket.InvalidDeadline(expiry);
        }
        if (expiry < present && task.submissionCount > 0) revert ITaskMarket.TermsLocked(task.submissionCount);
        return expiry;
    }

    function _store(Task storage task, address requester, uint16 feeBps, CreateTaskParams calldata params)
        private
        returns (Terms memory terms)
    {
        task.requester = requester;
        task.createdAt = uint40(block.timestamp);
        task.status = Status.Open;
        task.feeBps = feeBps;
        task.mode = params.mode;
        task.reward = uint80(params.reward);
        task.escrow = uint80(params.reward);
        task.expiryTime = uint40(block.timestamp + params.duration);
        if (params.contentHash != 0) task.contentHash = params.contentHash;
        if (params.tags.length > 0) task.tagsHash = keccak256(abi.encodePacked(params.tags));

        terms.reward = params.reward;
        terms.createdAt = uint40(block.timestamp);
        terms.expiryTime = uint40(block.timestamp + params.duration);
        terms.feeBps = feeBps;
        terms.contentHash = params.contentHash;
        terms.tags = params.tags;
        terms.listed = params.listed;
    }

    function _returnDecrease(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        address requester,
        uint256 amount
    ) private {
        market.totalEscrow -= uint72(amount);
        Money.pay(market, usdc, taskId, requester, amount);
        emit ITaskMarketEvents.EscrowReturned(taskId, requester, uint96(amount), ReturnReason.RewardDecreased);
    }
}
