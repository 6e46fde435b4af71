// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BonusAccount, BonusLock, BonusRole, BonusTerms, IBonusHook, SkipReason} from "../interfaces/IBonusHook.sol";
import {HookAward} from "../interfaces/ITaskHook.sol";
import {BonusMath} from "./BonusMath.sol";
import {BonusRules, Completion, Side} from "./BonusRules.sol";
import {BonusStorage, EpochTotals} from "./BonusStorage.sol";

/// @title Records of a programme: interactions, assignments and awards
/// @notice Deployed separately and linked; runs in the programme's storage and logs under its address. The rules are in
/// `IBonusHook`. Awards are credited in their order, the worker of each before the requester: each finds the caps and
/// the reserve as the credits before it left them.
library BonusLib {
    /// @dev A completed task.
    /// @param taskId The task.
    /// @param requester Its requester.
    /// @param feeBps Its platform fee.
    /// @param isContest Whether values of the completion apply instead of a lock.
    /// @param round Round of claims; a lock of another round does not count.
    struct CompletedTask {
        bytes32 taskId;
        address requester;
        uint256 feeBps;
        bool isContest;
        uint256 round;
    }

    /// @dev Records the first interaction of a wallet, from which its age counts.
    function touch(BonusStorage storage bonus, address account) external {
        _touch(bonus, account);
    }

    /// @dev Fixes rate, value and division of a task whose worker was assigned.
    /// @param price Payment of the task before fees.
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

    /// @dev Credits every award of a completed task.
    /// @param epoch The present epoch.
    /// @param reserve Tokens that no account can claim yet.
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

    /// @dev Stores the first interaction; later ones change nothing.
    function _touch(BonusStorage storage bonus, address account) private {
        BonusAccount storage entry = bonus.accounts[account];
        if (entry.firstSeen != 0) return;
        entry.firstSeen = SafeCast.toUint32(block.timestamp);
        emit IBonusHook.WalletFirstSeen(account, block.timestamp);
    }

    /// @dev Reads settings, lock and totals once for all awards of a task.
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

    /// @dev Stores once what all credits of the task share.
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

    /// @dev Credits both sides of an award, or logs why it earned nothing.
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

    /// @dev Credits one side, or logs why it earned nothing.
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

    /// @dev Emits one credit, in a function of its own for the compiler's stack.
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
