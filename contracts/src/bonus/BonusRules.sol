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

/// @dev A completed task, the settings that apply to it, and the caps and reserve that are left.
/// @param taskId The task.
/// @param requester Its requester.
/// @param feeBps Its platform fee.
/// @param isContest Whether values of the completion apply instead of a lock.
/// @param terms Present rate, size and division.
/// @param bounds Bounds against the platform fee and the present rate.
/// @param caps Caps of an epoch.
/// @param ramp Multipliers by a wallet's age.
/// @param lock Locked values of a task with one assigned worker; a price of zero: no valid lock.
/// @param time Unix seconds.
/// @param epoch The present epoch.
/// @param usdOfEpoch USDC base units that the epoch credited so far.
/// @param tokensOfEpoch Tokens that the epoch credited so far.
/// @param taskUsdLeft USDC base units left of the task's cap.
/// @param reserveLeft Tokens left in the reserve.
/// @param credited Tokens of all awards so far.
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

/// @dev One side of an award, or both before it is divided. The names are those of the event `BonusCredited`.
/// @param account Account of the side.
/// @param role Worker or requester.
/// @param rank Rank of the award.
/// @param usdBonus Bonus of the award, both sides, USDC base units.
/// @param tokenPerUsdc The rate that applies.
/// @param usd Value of the side after the rules so far, USDC base units.
/// @param tokens Tokens of the side after the rules so far.
/// @param share Tokens of the side before the multiplier, the caps and the reserve.
/// @param multiplierBps Multiplier of the wallet's age.
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

/// @title Bonus of an award
/// @notice Computes the rules of `IBonusHook` in memory alone.
library BonusRules {
    /// @dev Returns the bonus of an award before it is divided.
    /// @return reason The reason for zero tokens; meaningless with tokens.
    /// @return side The undivided bonus.
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

    /// @dev Divides a bonus between worker and requester, who gets the remainder.
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

    /// @dev Credits one side: adds what it earns to the account and takes it from caps and reserve.
    /// @param account Account of the side; its sums become those of the present epoch.
    /// @return isCredited Whether it earned anything; else nothing but `multiplierBps` changed.
    /// @return reason The reason for none.
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

    /// @dev Returns one side of a bonus, without amounts.
    function _sideOf(Side memory bonus, address account, BonusRole role) private pure returns (Side memory side) {
        (side.account, side.role, side.rank) = (account, role, bonus.rank);
        (side.usdBonus, side.tokenPerUsdc) = (bonus.usdBonus, bonus.tokenPerUsdc);
    }

    /// @dev Cuts a side to the least of the caps in USDC, then to the least of the limits in tokens: once each, so that
    /// no amount is rounded twice.
    /// @return reason The last limit that cut it.
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

    /// @dev Returns the least of the caps in USDC, and its name.
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

    /// @dev Returns the least of the limits in tokens, and its name.
    function _leastTokens(Completion memory completion, BonusAccount memory account)
        private
        pure
        returns (uint256 least, SkipReason cause)
    {
        (least, cause) = (_leftOf(completion.caps.globalTokens, completion.tokensOfEpoch), SkipReason.TokenCap);
        uint256 room = Math.min(completion.reserveLeft, type(uint112).max - account.claimable);
        if (room < least) (least, cause) = (room, SkipReason.Reserve);
    }

    /// @dev Adds a credit to the account and to the sums.
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

    /// @dev Returns what is left of a cap; zero when it was lowered below its use.
    function _leftOf(uint256 cap, uint256 used) private pure returns (uint256) {
        return cap > used ? cap - used : 0;
    }
}
