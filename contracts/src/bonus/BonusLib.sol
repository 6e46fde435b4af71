// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BonusAccount, BonusLock, BonusRole, BonusTerms, IBonusHook, SkipReason} from "../interfaces/IBonusHook.sol";
import {HookAward} from "../interfaces/ITaskHook.sol";
import {BonusMath} from "./BonusMath.sol";
import {BonusRules, Completion, Side} from "./BonusRules.sol";
import {BonusStorage, EpochTotals} from "./BonusStorage.sol";

/// @title Records of the bonus hook: interactions, assignments and awards
/// @notice A separately deployed library that works on the storage of the bonus hook (delegatecall). `IBonusHook`
/// describes the rules. Awards are credited in their order, the worker before the requester. Each credit uses up a
/// part of the caps and of the reserve, so later credits may be smaller.
library BonusLib {
    /// @dev A completed task whose bonuses are credited.
    /// @param taskId The task.
    /// @param requester Requester of the task.
    /// @param feeBps Platform fee of the task, in basis points.
    /// @param isContest Whether the task is a contest (bounty or benchmark). In a contest the bonus terms at the
    /// completion apply.
    /// @param round Number of times that the task was reopened. Bonus terms that were locked in an earlier round do not
    /// apply.
    struct CompletedTask {
        bytes32 taskId;
        address requester;
        uint256 feeBps;
        bool isContest;
        uint256 round;
    }

    /// @dev Stores the time of a wallet's first interaction with a task. The wallet's age is counted from this time.
    function touch(BonusStorage storage bonus, address account) external {
        _touch(bonus, account);
    }

    /// @dev Locks the present bonus terms for a task whose worker was assigned.
    /// @param price Gross amount that the worker can be paid, in USDC base units.
    function lock(BonusStorage storage bonus, bytes32 taskId, address worker, uint256 price, uint256 round) external {
        _touch(bonus, worker);
        BonusTerms memory present = bonus.terms;
        bonus.locks[taskId] = BonusLock({
            tokenPerUsdc: present.tokenPerUsdc,
            price: SafeCast.toUint72(price),
            bonusBps: present.bonusBps,
            workerSplitBps: present.workerSplitBps,
            round: SafeCast.toUint24(round)
        });
        uint256 usdValue = BonusMath.usdOf(price, present.bonusBps);
        emit IBonusHook.BonusLocked(
            taskId, worker, round, price, usdValue, present.tokenPerUsdc, present.workerSplitBps
        );
    }

    /// @dev Credits the bonuses for all awards of a completed task.
    /// @param epoch Number of the present epoch, counted from 0.
    /// @param reserve Tokens that no account can claim yet, in base units.
    function credit(
        BonusStorage storage bonus,
        CompletedTask calldata task,
        HookAward[] calldata awards,
        uint16 epoch,
        uint256 reserve
    ) external {
        Completion memory completion = _open(bonus, task, epoch, reserve);
        _touch(bonus, task.requester);
        for (uint256 i; i < awards.length; i++) {
            _touch(bonus, awards[i].worker);
            _creditAward(bonus, completion, awards[i]);
        }
        _close(bonus, completion);
    }

    /// @dev Stores the time of an account's first interaction with a task. Later interactions change nothing.
    function _touch(BonusStorage storage bonus, address account) private {
        BonusAccount storage entry = bonus.accounts[account];
        if (entry.firstSeen != 0) return;
        entry.firstSeen = SafeCast.toUint32(block.timestamp);
        emit IBonusHook.WalletFirstSeen(account, block.timestamp);
    }

    /// @dev Reads the values that all awards of a task share: the settings, the locked bonus terms and the sums of the
    /// epoch.
    function _open(BonusStorage storage bonus, CompletedTask calldata task, uint16 epoch, uint256 reserve)
        private
        view
        returns (Completion memory completion)
    {
        (completion.taskId, completion.requester) = (task.taskId, task.requester);
        (completion.feeBps, completion.isContest) = (task.feeBps, task.isContest);
        completion.terms = bonus.terms;
        completion.bounds = bonus.bounds;
        completion.caps = bonus.caps;
        completion.ramp = bonus.ramp;
        if (!task.isContest && bonus.locks[task.taskId].round == task.round) {
            completion.lock = bonus.locks[task.taskId];
        }
        (completion.time, completion.epoch) = (block.timestamp, epoch);
        EpochTotals memory totals = bonus.epochTotals;
        if (totals.epoch == epoch) {
            (completion.usdOfEpoch, completion.tokensOfEpoch) = (totals.usd, totals.tokens);
        }
        (completion.taskUsdLeft, completion.reserveLeft) = (completion.caps.taskUsd, reserve);
    }

    /// @dev Adds the credits of a completed task to the sums of the epoch and to the total of claimable tokens. Called
    /// one time for each task, after its last credit.
    function _close(BonusStorage storage bonus, Completion memory completion) private {
        if (completion.credited == 0) return;
        EpochTotals storage totals = bonus.epochTotals;
        if (totals.tokens == 0 || totals.epoch != completion.epoch) emit IBonusHook.EpochRolled(completion.epoch);
        bonus.epochTotals = EpochTotals({
            epoch: completion.epoch,
            usd: SafeCast.toUint48(completion.usdOfEpoch),
            tokens: SafeCast.toUint128(completion.tokensOfEpoch)
        });
        bonus.totalClaimable += completion.credited;
    }

    /// @dev Credits the worker and the requester of an award, or logs why the whole award earned no bonus.
    function _creditAward(BonusStorage storage bonus, Completion memory completion, HookAward memory award) private {
        (SkipReason reason, Side memory both) = BonusRules.valueOf(completion, award);
        if (both.tokens == 0) {
            emit IBonusHook.BonusSkipped(completion.taskId, award.worker, BonusRole.Award, award.rank, reason);
            return;
        }
        (Side memory ofWorker, Side memory ofRequester) = BonusRules.divide(completion, both, award.worker);
        _creditSide(bonus, completion, ofWorker);
        _creditSide(bonus, completion, ofRequester);
    }

    /// @dev Credits the worker or the requester of an award, or logs why this account earned no bonus.
    function _creditSide(BonusStorage storage bonus, Completion memory completion, Side memory side) private {
        BonusAccount memory account = bonus.accounts[side.account];
        (bool isCredited, SkipReason reason) = BonusRules.credit(completion, side, account);
        if (!isCredited) {
            emit IBonusHook.BonusSkipped(completion.taskId, side.account, side.role, side.rank, reason);
            return;
        }
        bonus.accounts[side.account] = account;
        _logCredit(completion.taskId, completion.epoch, side);
    }

    /// @dev Emits BonusCredited. This is a separate function because of the compiler's stack limit.
    function _logCredit(bytes32 taskId, uint256 epoch, Side memory side) private {
        emit IBonusHook.BonusCredited(
            taskId,
            side.account,
            side.role,
            side.rank,
            side.usdBonus,
            side.usd,
            side.tokenPerUsdc,
            side.share,
            side.multiplierBps,
            side.tokens,
            epoch
        );
    }
}
