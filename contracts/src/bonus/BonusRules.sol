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

/// @dev A completed task, the settings it is credited by, and what is left of caps and reserve.
/// @param isContest Whether values of the completion are used, and no lock.
/// @param lock Of a task with one assigned worker; a price of zero: none that counts.
/// @param credited Tokens, of all awards so far.
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
/// @param usd What is left of it by the rules so far, USDC base units.
/// @param tokens The same, base units of the token.
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

/// @title What an award earns
/// @notice The rules in `IBonusHook`, in memory alone.
library BonusRules {
    /// @dev The bonus of an award before it is divided.
    /// @return reason Why there are no tokens; meaningless where there are some.
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

    /// @dev Divides a bonus; the requester's part is what the worker's leaves.
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

    /// @dev Credits one side: what it earns is added to the account and taken from what is left.
    /// @param account Of the side; its sums become those of the present epoch.
    /// @return isCredited Whether it earned anything; else nothing but `multiplierBps` changed.
    /// @return reason Why not.
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

    function _sideOf(Side memory bonus, address account, BonusRole role) private pure returns (Side memory side) {
        (side.account, side.role, side.rank) = (account, role, bonus.rank);
        (side.usdBonus, side.tokenPerUsdc) = (bonus.usdBonus, bonus.tokenPerUsdc);
    }

    /// @dev Cuts a side to the least of the caps in USDC, then to the least of what is left in tokens: once each, so that
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

    function _leastTokens(Completion memory completion, BonusAccount memory account)
        private
        pure
        returns (uint256 least, SkipReason cause)
    {
        (least, cause) = (_leftOf(completion.caps.globalTokens, completion.tokensOfEpoch), SkipReason.TokenCap);
        uint256 room = Math.min(completion.reserveLeft, type(uint112).max - account.claimable);
        if (room < least) (least, cause) = (room, SkipReason.Reserve);
    }

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

    function _leftOf(uint256 cap, uint256 used) private pure returns (uint256) {
        return cap > used ? cap - used : 0;
    }
}
