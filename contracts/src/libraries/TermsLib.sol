// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {MarketFlags} from "../types/MarketFlags.sol";
import {Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {CreateTaskParams, EvaluatorTerms, Status, Terms} from "../types/TaskTypes.sol";
import {HookLib} from "./HookLib.sol";
import {Payouts} from "./Payouts.sol";
import {Tasks} from "./Tasks.sol";
import {TermsChecks} from "./TermsChecks.sol";

/// @title Creation of tasks and assignment of evaluators
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library TermsLib {
    /// @dev Implements ITaskMarket.createTask: stores a new task and takes the reward into escrow.
    function createTask(MarketStorage storage market, IERC20 usdc, address requester, CreateTaskParams calldata params)
        external
        returns (bytes32 taskId)
    {
        // Check:
        Tasks.requireUnpaused(market);
        Kind kind = TermsChecks.checkCreation(params);

        // Effect:
        uint256 nonce = market.nonces[requester]++;
        taskId = Tasks.idOf(requester, nonce);
        Task storage task = market.tasks[taskId];
        Terms memory terms = _store(task, requester, kind, market.feeBps, params);
        terms.nonce = nonce;

        // Interaction:
        Payouts.take(market, usdc, task.reward);

        // Log:
        emit ITaskMarketEvents.TaskCreated(taskId, requester, params.mode, terms);
        if (TermsChecks.hasEvaluator(params.evaluation)) _assign(market, task, taskId, params.evaluation);
        if (params.hooks.length > 0 || market.flags & MarketFlags.DEFAULT_HOOKS != 0) {
            HookLib.attach(market, taskId, params.hooks, keccak256(params.hookData));
            HookLib.checkFund(market, usdc, taskId, params.tags, params.hookData);
        }
    }

    /// @dev Implements ITaskMarket.assignEvaluator: adds an evaluator to an open task.
    function assignEvaluator(
        MarketStorage storage market,
        address requester,
        bytes32 taskId,
        EvaluatorTerms calldata terms
    ) external {
        // Check:
        Task storage task = Tasks.getOpenOf(market, taskId, requester);
        if (Tasks.has(task, Flags.EVALUATOR)) {
            revert ITaskMarket.EvaluatorAlreadyAssigned(market.evaluations[taskId].evaluator);
        }
        uint32 entries = uint32(task.submissionCount) + task.pitchCount + task.bidCount + task.round;
        if (entries > 0) revert ITaskMarket.TermsLocked(entries);

        // Effect, log:
        _assign(market, task, taskId, terms);
    }

    /// @dev Checks and stores the terms of an evaluator, and emits EvaluatorAssigned. Requester, evaluator and resolver
    /// must be different accounts. The evaluator's fee plus the platform fee must be at most 100 %.
    function _assign(MarketStorage storage market, Task storage task, bytes32 taskId, EvaluatorTerms calldata terms)
        private
    {
        // Check:
        TermsChecks.checkEvaluation(terms, task.requester, task.feeBps);

        // Effect:
        task.flags |= Flags.EVALUATOR;
        Evaluation storage evaluation = market.evaluations[taskId];
        (evaluation.evaluator, evaluation.feeBps) = (terms.evaluator, terms.feeBps);
        (evaluation.evaluationWindow, evaluation.appealWindow) = (terms.evaluationWindow, terms.appealWindow);
        if (terms.resolver != address(0)) evaluation.resolver = terms.resolver;

        // Log:
        emit ITaskMarketEvents.EvaluatorAssigned(
            taskId, terms.evaluator, terms.resolver, terms.feeBps, terms.evaluationWindow, terms.appealWindow
        );
    }

    /// @dev Stores a new task. Returns the terms for the event TaskCreated, except the nonce, which the caller must
    /// set.
    function _store(Task storage task, address requester, Kind kind, uint16 feeBps, CreateTaskParams calldata params)
        private
        returns (Terms memory terms)
    {
        uint40 now_ = Tasks.time();
        terms.reward = params.reward;
        terms.createdAt = now_;
        terms.expiryTime = now_ + params.duration;
        terms.auctionType = params.auctionType;
        terms.clockPrice = params.clockPrice;
        terms.stakeBps = params.stakeBps;
        terms.feeBps = feeBps;
        terms.contentHash = params.contentHash;
        terms.tags = params.tags;
        terms.listed = params.listed;

        task.requester = requester;
        task.createdAt = now_;
        task.status = Status.Open;
        task.kind = kind;
        task.feeBps = feeBps;
        task.stakeBps = params.stakeBps;
        task.reward = TermsChecks.toAmount(params.reward);
        task.escrow = task.reward;
        task.expiryTime = terms.expiryTime;
        if (params.contentHash != 0) task.contentHash = params.contentHash;
        if (params.tags.length > 0) task.tagsHash = keccak256(abi.encodePacked(params.tags));
        if (kind == Kind.Pitch) {
            terms.pitchDeadline = now_ + (params.pitchDuration == 0 ? params.duration : params.pitchDuration);
            task.entryDeadline = terms.pitchDeadline;
        } else if (Modes.isAuction(kind)) {
            terms.bidDeadline = now_ + (params.bidDuration == 0 ? params.duration : params.bidDuration);
            (task.entryDeadline, task.clockPrice) = (terms.bidDeadline, TermsChecks.toAmount(params.clockPrice));
        }
    }
}
