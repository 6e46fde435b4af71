// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TaskContext} from "../interfaces/ITaskHook.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Entry, Evaluation, Flags, MarketStorage, StoredHook, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {EntryView, EvaluationView, Status, TaskView} from "../types/TaskTypes.sol";
import {ClockPrice} from "./ClockPrice.sol";
import {Contexts} from "./Contexts.sol";
import {Tasks} from "./Tasks.sol";
import {TermsHash} from "./TermsHash.sol";

/// @title Views of the market's storage
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library ViewLib {
    /// @dev Implements ITaskMarket.getTask: returns a task.
    function getTask(MarketStorage storage market, bytes32 taskId) external view returns (TaskView memory view_) {
        Task storage task = market.tasks[taskId];
        if (task.status == Status.None) return view_;
        view_.requester = task.requester;
        view_.mode = Modes.modeOf(task.kind);
        view_.auctionType = Modes.auctionTypeOf(task.kind);
        view_.status = task.status;
        view_.reward = task.reward;
        view_.escrow = task.escrow;
        view_.feeBps = task.feeBps;
        view_.stakeBps = task.stakeBps;
        view_.createdAt = task.createdAt;
        view_.expiryTime = task.expiryTime;
        if (task.kind == Kind.Pitch) view_.pitchDeadline = task.entryDeadline;
        if (Modes.isAuction(task.kind)) view_.bidDeadline = task.entryDeadline;
        view_.clockPrice = task.clockPrice;
        view_.contentHash = task.contentHash;
        view_.tagsHash = task.tagsHash;
        // An open auction stores its lowest bid there: no worker is assigned yet.
        if (task.status != Status.Open) (view_.worker, view_.price) = (task.worker, task.price);
        view_.stake = Tasks.stakeHeld(task);
        view_.deliverable = task.deliverable;
        view_.submissionCount = task.submissionCount;
        view_.activeSubmissions = task.activeSubmissions;
        view_.pitchCount = task.pitchCount;
        view_.bidCount = task.bidCount;
        view_.proofCount = task.proofCount;
        view_.awardCount = task.awardCount;
        view_.round = task.round;
        view_.objected = Tasks.has(task, Flags.OBJECTED);
        view_.hasEvaluator = Tasks.has(task, Flags.EVALUATOR);
        view_.hookSet = task.hookSet;
    }

    /// @dev Implements ITaskMarket.entryOf: returns the record of a worker in a task. For an assigned worker the values
    /// are read from the task.
    function entryOf(MarketStorage storage market, bytes32 taskId, address worker)
        external
        view
        returns (EntryView memory view_)
    {
        Entry storage entry = market.entries[taskId][worker];
        (view_.pitched, view_.bid) = (entry.pitched, entry.bid);
        Task storage task = market.tasks[taskId];
        if (Modes.isContest(task.kind)) {
            (view_.submissions, view_.active) = (entry.submissions, entry.active);
            (view_.rejected, view_.awarded, view_.rated) = (entry.rejected, entry.awarded, entry.rated);
        } else if (task.deliverable != 0 && worker == task.worker) {
            (view_.submissions, view_.active) = (1, 1);
            view_.awarded = task.status == Status.Completed;
            view_.rated = Tasks.has(task, Flags.RATED);
        }
    }

    /// @dev Implements ITaskMarket.evaluationOf: returns the evaluator, the windows and the verdict of a task.
    function evaluationOf(MarketStorage storage market, bytes32 taskId)
        external
        view
        returns (EvaluationView memory view_)
    {
        Evaluation storage evaluation = market.evaluations[taskId];
        view_.evaluator = evaluation.evaluator;
        view_.resolver = evaluation.resolver;
        view_.feeBps = evaluation.feeBps;
        view_.evaluationWindow = evaluation.evaluationWindow;
        view_.appealWindow = evaluation.appealWindow;
        view_.verdict = evaluation.verdict;
        view_.score = evaluation.score;
        view_.confidence = evaluation.confidence;
        view_.evidenceHash = evaluation.evidenceHash;
        view_.phaseDeadline = evaluation.phaseDeadline;
        view_.awards = evaluation.awards;
    }

    /// @dev Implements ITaskMarket.hooksOf: returns the hooks of a task.
    function hooksOf(MarketStorage storage market, bytes32 taskId)
        external
        view
        returns (address[] memory hooks, uint256 defaultCount)
    {
        mapping(uint256 => StoredHook) storage list = market.hookSets[market.tasks[taskId].hookSet];
        hooks = new address[](list[0].count);
        defaultCount = list[0].defaultCount;
        for (uint256 i; i < hooks.length; i++) {
            hooks[i] = list[i].hook;
        }
    }

    /// @dev Implements ITaskMarket.lowestBidOf: returns the lowest bidder and bid of an open auction.
    function lowestBidOf(MarketStorage storage market, bytes32 taskId)
        external
        view
        returns (address worker, uint256 price)
    {
        Task storage task = market.tasks[taskId];
        if (task.status == Status.Open && task.bidCount > 0) return (task.worker, task.price);
    }

    /// @dev Implements ITaskMarket.clockPriceOf: returns the current price of a dutch or reverse dutch auction.
    function clockPriceOf(MarketStorage storage market, bytes32 taskId) external view returns (uint256) {
        Task storage task = Tasks.get(market, taskId);
        if (!Modes.isClock(task.kind)) revert ITaskMarket.WrongMode(Modes.modeOf(task.kind));
        return ClockPrice.priceOf(task, block.timestamp);
    }

    /// @dev Implements ITaskMarket.contextOf: returns the data about a task that hooks receive.
    function contextOf(MarketStorage storage market, IERC20 usdc, bytes32 taskId)
        external
        view
        returns (TaskContext memory)
    {
        return Contexts.contextOf(market, usdc, taskId);
    }

    /// @dev Implements ITaskMarket.taskTermsHash: returns the hash of a task's present terms.
    function taskTermsHash(MarketStorage storage market, bytes32 taskId) external view returns (bytes32) {
        return TermsHash.hashOf(market, taskId);
    }
}
