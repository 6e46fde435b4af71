// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskHook} from "../interfaces/ITaskHook.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind} from "../types/Modes.sol";
import {SelectionKind, Status} from "../types/TaskTypes.sol";
import {Amounts} from "./Amounts.sol";
import {SettlementFlow} from "./SettlementFlow.sol";
import {HookLib} from "./HookLib.sol";
import {Payouts} from "./Payouts.sol";
import {Tasks} from "./Tasks.sol";
import {TermsHash} from "./TermsHash.sol";

/// @title Claims and pitches: assigning a worker without an auction
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library EntryLib {
    /// @dev Implements ITaskMarket.claimTask: assigns the worker who claims the task.
    function claimTask(MarketStorage storage market, IERC20 usdc, address worker, bytes32 taskId, bytes32 termsHash)
        external
    {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        Tasks.requireKind(task, Kind.Claim);
        Tasks.requireUnpaused(market);
        Tasks.requireBefore(task.expiryTime);
        Tasks.requireMayEnter(market, task, taskId, worker);
        _checkTerms(market, taskId, termsHash);

        // Effect:
        uint72 price = task.reward;
        uint72 stake = Amounts.partOf(price, task.stakeBps);
        task.status = Status.Claimed;
        (task.worker, task.price) = (worker, price);

        // Interaction:
        if (stake > 0) Payouts.take(market, usdc, stake);

        // Log:
        emit ITaskMarketEvents.TaskWorkerSelected(taskId, worker, SelectionKind.Claim, price, stake);
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkClaim.selector, worker, true);
        }
    }

    /// @dev Implements ITaskMarket.forfeitAndReopen: ends an expired claim and opens the task again.
    function forfeitAndReopen(MarketStorage storage market, IERC20 usdc, address requester, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOf(market, taskId, requester);
        Tasks.requireKind(task, Kind.Claim);
        Tasks.requireStatus(task, Status.Claimed);
        Tasks.requireReached(task.expiryTime);

        // Effect:
        uint72 stake = Tasks.stakeHeld(task);
        address worker = task.worker;
        uint16 round = task.round + 1;
        task.status = Status.Open;
        (task.worker, task.price) = (address(0), 0);
        task.round = round;

        // Interaction, log:
        if (stake > 0) {
            market.totalEscrow -= stake;
            SettlementFlow.forfeitStake(market, usdc, taskId, worker, stake);
        }
        emit ITaskMarketEvents.TaskReopened(taskId, round);
        if (Tasks.has(task, Flags.HOOKS)) HookLib.onForfeit(market, usdc, taskId, worker);
    }

    /// @dev Implements ITaskMarket.submitPitch: logs the hash of a worker's pitch.
    function submitPitch(MarketStorage storage market, IERC20 usdc, address worker, bytes32 taskId, bytes32 pitchHash)
        external
    {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        Tasks.requireKind(task, Kind.Pitch);
        Tasks.requireUnpaused(market);
        // The entry deadline is never later than the expiry.
        Tasks.requireBefore(task.entryDeadline);
        if (pitchHash == 0) revert ITaskMarket.ZeroHash();
        Tasks.requireMayEnter(market, task, taskId, worker);

        // Effect:
        uint24 index = task.pitchCount;
        task.pitchCount = index + 1;
        market.entries[taskId][worker].pitched = true;

        // Log:
        emit ITaskMarketEvents.PitchSubmitted(taskId, worker, pitchHash, index);
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkClaim.selector, worker, true);
        }
    }

    /// @dev Implements ITaskMarket.selectWorker: assigns a worker who pitched.
    function selectWorker(MarketStorage storage market, IERC20 usdc, address requester, bytes32 taskId, address worker)
        external
    {
        // Check:
        Task storage task = Tasks.getOf(market, taskId, requester);
        Tasks.requireKind(task, Kind.Pitch);
        Tasks.requireStatus(task, Status.Open);
        Tasks.requireBefore(task.expiryTime);
        if (!market.entries[taskId][worker].pitched) revert ITaskMarket.NoPitch(worker);

        // Effect:
        uint72 price = task.reward;
        task.status = Status.WorkerSelected;
        (task.worker, task.price) = (worker, price);

        // Log:
        emit ITaskMarketEvents.TaskWorkerSelected(taskId, worker, SelectionKind.Pitch, price, 0);
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkSelectWorker.selector, worker, true);
        }
    }

    /// @dev Reverts with TaskTermsMismatch if the task's terms hash differs from `expected`. If `expected` is zero, any
    /// terms pass.
    function _checkTerms(MarketStorage storage market, bytes32 taskId, bytes32 expected) private view {
        if (expected == 0) return;
        bytes32 actual = TermsHash.hashOf(market, taskId);
        if (actual != expected) revert ITaskMarket.TaskTermsMismatch(expected, actual);
    }
}
