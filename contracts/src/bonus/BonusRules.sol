// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {
    BonusAccount,
    BonusBounds,
    BonusCaps,
    BonusLock,
    BonusRamp,
    BonusRole,
    BonusTerms,
    SkipReason
} from "../interfaces/IBonusHook.sol";
import {HookAward} from "../interfaces/ITaskHook.sol";
import {BonusMath} from "./BonusMath.sol";

/// @dev A completed task, the settings for the task, and the remaining caps and reserve.
/// @param taskId The task.
/// @param requester Requester of the task.
/// @param feeBps Platform fee of the task, in basis points.
/// @param isContest Whether the task is a contest (bounty or benchmark). In a contest the present bonus terms apply.
/// @param terms Present rate, size and split of bonuses.
/// @param bounds Limits of a bonus and of a locked rate.
/// @param caps Caps of the bonuses in one epoch of 7 days.
/// @param ramp Multipliers by the age of a wallet.
/// @param lock Locked bonus terms of a task with an assigned worker. A price of zero means that no locked bonus terms
/// apply.
/// @param time Time of the block, in Unix seconds.
/// @param epoch Number of the present epoch, counted from 0.
/// @param usdOfEpoch Value credited in the epoch so far, in USDC base units.
/// @param tokensOfEpoch Tokens credited in the epoch so far, in base units.
/// @param taskUsdLeft Value that the cap of the task still allows, in USDC base units.
/// @param reserveLeft Tokens that are left in the reserve, in base units.
/// @param credited Tokens credited for this task's awards so far, in base units.
struct Completion {
    bytes32 taskId;
    address requester;
    uint256 feeBps;
    bool isContest;
    BonusTerms terms;
    BonusBounds bounds;
    BonusCaps caps;
    BonusRamp ramp;
    BonusLock lock;
    uint256 time;
    uint16 epoch;
    uint256 usdOfEpoch;
    uint256 tokensOfEpoch;
    uint256 taskUsdLeft;
    uint256 reserveLeft;
    uint256 credited;
}

/// @dev The bonus of one award, or the part of this bonus for the worker or for the requester. In the struct of the
/// whole bonus, the fields `account`, `role`, `share` and `multiplierBps` are not set.
/// @param account The worker or the requester.
/// @param role Role of the account: Worker or Requester.
/// @param rank Rank of the award.
/// @param usdBonus Value of the award's bonus for worker and requester together, in USDC base units.
/// @param tokenPerUsdc Rate that applies, in base units of the token for one USDC.
/// @param usd Value of this bonus or part, in USDC base units. Each rule may reduce it.
/// @param tokens Tokens of this bonus or part, in base units. Each rule may reduce them.
/// @param share Tokens of the account before the multiplier, the caps and the reserve reduce them, in base units.
/// @param multiplierBps Multiplier for the age of the wallet, in basis points.
struct Side {
    address account;
    BonusRole role;
    uint16 rank;
    uint256 usdBonus;
    uint256 tokenPerUsdc;
    uint256 usd;
    uint256 tokens;
    uint256 share;
    uint256 multiplierBps;
}

/// @title Rules for the bonus of an award
/// @notice Applies the rules that `IBonusHook` describes. The functions read and write only memory, no storage.
library BonusRules {
    /// @dev Returns the bonus of an award before the split between worker and requester.
    /// @return reason Reason why the bonus has no tokens. If the bonus has tokens, the caller must ignore the reason.
    /// @return side The bonus of worker and requester together.
    function valueOf(Completion memory completion, HookAward memory award)
        internal
        pure
        returns (SkipReason reason, Side memory side)
    {
        side.rank = award.rank;
        if (award.worker == completion.requester) return (SkipReason.SelfAward, side);
        uint256 value;
        if (completion.isContest) {
            value = BonusMath.usdOf(award.amount, completion.terms.bonusBps);
            side.tokenPerUsdc = completion.terms.tokenPerUsdc;
        } else {
            BonusLock memory lock = completion.lock;
            if (lock.price == 0) return (SkipReason.NoLock, side);
            value = BonusMath.usdOfLocked(award.amount, lock.price, lock.bonusBps);
            side.tokenPerUsdc = BonusMath.boundRate(
                lock.tokenPerUsdc, completion.terms.tokenPerUsdc, completion.bounds.maxRateDriftBps
            );
        }
        if (side.tokenPerUsdc == 0) return (SkipReason.NoRate, side);
        if (value == 0) return (SkipReason.TooSmall, side);
        uint256 bound = BonusMath.feeBound(award.amount, completion.feeBps, completion.bounds.maxBonusPerFeeBps);
        if (bound == 0) return (SkipReason.FeeBound, side);
        side.usdBonus = Math.min(value, bound);
        side.usd = side.usdBonus;
        side.tokens = BonusMath.tokensOf(side.usd, side.tokenPerUsdc);
        return (SkipReason.TooSmall, side);
    }

    /// @dev Splits a bonus between the worker and the requester. The requester also gets the rounding remainder.
    function divide(Completion memory completion, Side memory bonus, address worker)
        internal
        pure
        returns (Side memory ofWorker, Side memory ofRequester)
    {
        uint256 split = completion.isContest ? completion.terms.workerSplitBps : completion.lock.workerSplitBps;
        ofWorker = _sideOf(bonus, worker, BonusRole.Worker);
        ofRequester = _sideOf(bonus, completion.requester, BonusRole.Requester);
        (ofWorker.usd, ofWorker.share) = (BonusMath.partOf(bonus.usd, split), BonusMath.partOf(bonus.tokens, split));
        (ofRequester.usd, ofRequester.share) = (bonus.usd - ofWorker.usd, bonus.tokens - ofWorker.share);
    }

    /// @dev Credits the bonus of a worker or requester: adds the tokens to `account`, and subtracts the credit from the
    /// caps and the reserve.
    /// @param account Bonus record of the worker or requester. If its sums are of an earlier epoch, the function first
    /// resets them to zero.
    /// @return isCredited Whether the account earned tokens. If false, the caps and the reserve are unchanged.
    /// @return reason Reason why the account earned no tokens. If `isCredited` is true, the caller must ignore the
    /// reason.
    function credit(Completion memory completion, Side memory side, BonusAccount memory account)
        internal
        pure
        returns (bool isCredited, SkipReason reason)
    {
        if (account.epoch != completion.epoch) {
            (account.epoch, account.workerUsd, account.requesterUsd) = (completion.epoch, 0, 0);
        }
        side.multiplierBps = BonusMath.multiplierOf(completion.ramp, completion.time - account.firstSeen);
        side.usd = BonusMath.partOf(side.usd, side.multiplierBps);
        side.tokens = BonusMath.partOf(side.share, side.multiplierBps);
        reason = side.multiplierBps == 0 ? SkipReason.WalletAge : SkipReason.TooSmall;
        if (side.usd == 0 || side.tokens == 0) return (false, reason);
        reason = _cut(completion, side, account);
        if (side.usd == 0 || side.tokens == 0) return (false, reason);
        _book(completion, side, account);
        return (true, reason);
    }

    /// @dev Returns a new struct for the worker or the requester, with the award's rank, whole value and rate. `usd`
    /// and `tokens` are still zero.
    function _sideOf(Side memory bonus, address account, BonusRole role) private pure returns (Side memory side) {
        (side.account, side.role, side.rank) = (account, role, bonus.rank);
        (side.usdBonus, side.tokenPerUsdc) = (bonus.usdBonus, bonus.tokenPerUsdc);
    }

    /// @dev Reduces a bonus to the lowest limit in USDC, then to the lowest limit in tokens. Each amount is rounded at
    /// most once.
    /// @return reason Name of the last limit that reduced the bonus. TooSmall if no limit reduced the bonus. The caller
    /// uses the reason only if the bonus is zero.
    function _cut(Completion memory completion, Side memory side, BonusAccount memory account)
        private
        pure
        returns (SkipReason reason)
    {
        (uint256 usd, SkipReason usdCause) = _leastUsd(completion, side.role, account);
        reason = SkipReason.TooSmall;
        if (side.usd > usd) {
            (side.usd, side.tokens) = BonusMath.cutToUsd(side.usd, side.tokens, usd);
            reason = usdCause;
        }
        (uint256 tokens, SkipReason tokenCause) = _leastTokens(completion, account);
        if (side.tokens > tokens) {
            (side.usd, side.tokens) = BonusMath.cutToTokens(side.usd, side.tokens, tokens);
            reason = tokenCause;
        }
    }

    /// @dev Compares the unused parts of the caps in USDC. Returns the smallest unused part, which is the most that the
    /// bonus may be worth, and the reason that names its cap.
    function _leastUsd(Completion memory completion, BonusRole role, BonusAccount memory account)
        private
        pure
        returns (uint256 least, SkipReason cause)
    {
        BonusCaps memory caps = completion.caps;
        least = role == BonusRole.Worker
            ? _leftOf(caps.workerUsd, account.workerUsd)
            : _leftOf(caps.requesterUsd, account.requesterUsd);
        cause = SkipReason.AccountCap;
        if (completion.taskUsdLeft < least) (least, cause) = (completion.taskUsdLeft, SkipReason.TaskCap);
        uint256 globalLeft = _leftOf(caps.globalUsd, completion.usdOfEpoch);
        if (globalLeft < least) (least, cause) = (globalLeft, SkipReason.GlobalCap);
    }

    /// @dev Compares the limits in tokens. Returns the lowest limit, in base units, and the reason that names it.
    function _leastTokens(Completion memory completion, BonusAccount memory account)
        private
        pure
        returns (uint256 least, SkipReason cause)
    {
        (least, cause) = (_leftOf(completion.caps.globalTokens, completion.tokensOfEpoch), SkipReason.TokenCap);
        uint256 room = Math.min(completion.reserveLeft, type(uint112).max - account.claimable);
        if (room < least) (least, cause) = (room, SkipReason.Reserve);
    }

    /// @dev Adds a bonus to the account's record, and to the sums of the epoch and the task.
    function _book(Completion memory completion, Side memory side, BonusAccount memory account) private pure {
        // The caps, and the room for `claimable`, are in the range of these types.
        if (side.role == BonusRole.Worker) account.workerUsd += SafeCast.toUint48(side.usd);
        else account.requesterUsd += SafeCast.toUint48(side.usd);
        account.claimable += SafeCast.toUint112(side.tokens);
        completion.usdOfEpoch += side.usd;
        completion.tokensOfEpoch += side.tokens;
        completion.taskUsdLeft -= side.usd;
        completion.reserveLeft -= side.tokens;
        completion.credited += side.tokens;
    }

    /// @dev Returns the unused part of a cap; zero if the owner lowered the cap below the used part.
    function _leftOf(uint256 cap, uint256 used) private pure returns (uint256) {
        return cap > used ? cap - used : 0;
    }
}
