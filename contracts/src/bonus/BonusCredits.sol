// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BonusAccount, BonusLock, BonusRole, BonusTerms, IBonusHook, SkipReason} from "../interfaces/IBonusHook.sol";
import {HookAward} from "../interfaces/ITaskHook.sol";
import {BonusMath} from "./BonusMath.sol";
import {BonusReserve} from "./BonusReserve.sol";
import {BonusRules, Completion, Side} from "./BonusRules.sol";
import {EpochTotals} from "./BonusStorage.sol";

/// @title Interactions, assignments and awards, as a programme records them
/// @notice The rules are in `IBonusHook`. Awards are credited in their order, of each the worker before the requester:
/// each finds what those before it left of the caps and of the reserve.
abstract contract BonusCredits is BonusReserve {
    uint256 internal constant EPOCH_SECONDS = 7 days;

    uint256 internal immutable STARTED_AT;

    constructor() {
        STARTED_AT = block.timestamp;
    }

    /// @inheritdoc IBonusHook
    function startedAt() external view returns (uint256) {
        return STARTED_AT;
    }

    /// @inheritdoc IBonusHook
    function lockOf(bytes32 taskId) external view returns (BonusLock memory) {
        return _bonus.locks[taskId];
    }

    /// @inheritdoc IBonusHook
    function epochNow() external view returns (uint256 epoch, uint256 usd, uint256 tokens) {
        epoch = _epochNow();
        EpochTotals memory totals = _bonus.epochTotals;
        if (totals.epoch == epoch) (usd, tokens) = (totals.usd, totals.tokens);
    }

    /// @dev The age of a wallet counts from here.
    function _touch(address account) internal {
        BonusAccount storage entry = _bonus.accounts[account];
        if (entry.firstSeen != 0) return;
        entry.firstSeen = SafeCast.toUint32(block.timestamp);
        emit WalletFirstSeen(account, block.timestamp);
    }

    /// @dev Fixes rate, value and division of a task whose worker was assigned.
    function _lock(bytes32 taskId, address worker, uint256 price, uint256 round) internal {
        BonusTerms memory present = _bonus.terms;
        _bonus.locks[taskId] = BonusLock({
            tokenPerUsdc: present.tokenPerUsdc,
            price: SafeCast.toUint72(price),
            bonusBps: present.bonusBps,
            workerSplitBps: present.workerSplitBps,
            round: SafeCast.toUint24(round)
        });
        uint256 usdValue = BonusMath.usdOf(price, present.bonusBps);
        emit BonusLocked(taskId, worker, round, price, usdValue, present.tokenPerUsdc, present.workerSplitBps);
    }

    /// @dev Credits every award of a completed task.
    function _credit(
        bytes32 taskId,
        address requester,
        uint256 feeBps,
        bool isContest,
        uint256 round,
        HookAward[] memory awards
    ) internal {
        Completion memory completion = _open(taskId, requester, feeBps, isContest);
        if (!isContest && completion.lock.round != round) completion.lock.price = 0;
        _touch(requester);
        for (uint256 i; i < awards.length; i++) {
            _touch(awards[i].worker);
            _creditAward(completion, awards[i]);
        }
        _close(completion);
    }

    function _open(bytes32 taskId, address requester, uint256 feeBps, bool isContest)
        private
        view
        returns (Completion memory completion)
    {
        (completion.taskId, completion.requester) = (taskId, requester);
        (completion.feeBps, completion.isContest) = (feeBps, isContest);
        completion.terms = _bonus.terms;
        completion.bounds = _bonus.bounds;
        completion.caps = _bonus.caps;
        completion.ramp = _bonus.ramp;
        if (!isContest) completion.lock = _bonus.locks[taskId];
        (completion.time, completion.epoch) = (block.timestamp, _epochNow());
        EpochTotals memory totals = _bonus.epochTotals;
        if (totals.epoch == completion.epoch) {
            (completion.usdOfEpoch, completion.tokensOfEpoch) = (totals.usd, totals.tokens);
        }
        completion.taskUsdLeft = completion.caps.taskUsd;
        completion.reserveLeft = available();
    }

    /// @dev Stores what all credits of the task share, once.
    function _close(Completion memory completion) private {
        if (completion.credited == 0) return;
        if (_bonus.epochTotals.tokens == 0 || _bonus.epochTotals.epoch != completion.epoch) {
            emit EpochRolled(completion.epoch);
        }
        _bonus.epochTotals = EpochTotals({
            epoch: completion.epoch,
            usd: SafeCast.toUint48(completion.usdOfEpoch),
            tokens: SafeCast.toUint128(completion.tokensOfEpoch)
        });
        _bonus.totalClaimable += completion.credited;
    }

    function _creditAward(Completion memory completion, HookAward memory award) private {
        (SkipReason reason, Side memory bonus) = BonusRules.valueOf(completion, award);
        if (bonus.tokens == 0) {
            emit BonusSkipped(completion.taskId, award.worker, BonusRole.Award, award.rank, reason);
            return;
        }
        (Side memory ofWorker, Side memory ofRequester) = BonusRules.divide(completion, bonus, award.worker);
        _creditSide(completion, ofWorker);
        _creditSide(completion, ofRequester);
    }

    function _creditSide(Completion memory completion, Side memory side) private {
        BonusAccount memory account = _bonus.accounts[side.account];
        (bool isCredited, SkipReason reason) = BonusRules.credit(completion, side, account);
        if (!isCredited) {
            emit BonusSkipped(completion.taskId, side.account, side.role, side.rank, reason);
            return;
        }
        _bonus.accounts[side.account] = account;
        _logCredit(completion.taskId, completion.epoch, side);
    }

    function _logCredit(bytes32 taskId, uint256 epoch, Side memory side) private {
        emit BonusCredited(
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

    function _epochNow() internal view returns (uint16) {
        return SafeCast.toUint16((block.timestamp - STARTED_AT) / EPOCH_SECONDS);
    }
}
