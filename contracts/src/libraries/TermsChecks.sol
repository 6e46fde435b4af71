// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Limits} from "../types/Limits.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {CreateTaskParams, EvaluatorTerms} from "../types/TaskTypes.sol";

/// @title Rules for the terms of a task
/// @notice Checks the terms of a new or updated task. A failed check reverts with an error of `ITaskMarket`.
library TermsChecks {
    /// @dev Checks the terms of a new task, except the evaluator's terms, and returns the kind of the task. If the
    /// task's mode does not use a term, the term must be zero. Example: the pitch duration must be zero in claim mode.
    function checkCreation(CreateTaskParams calldata params) internal pure returns (Kind kind) {
        kind = Modes.kindOf(params.mode, params.auctionType);
        checkReward(params.reward);
        if (params.duration == 0 || params.duration > Limits.MAX_DURATION) {
            revert ITaskMarket.InvalidDuration(params.duration);
        }
        _checkStake(kind, params.stakeBps);
        _checkWindows(kind, params);
        checkClockPrice(kind, params.clockPrice, params.reward);
        if (params.tags.length > Limits.MAX_TAGS) {
            revert ITaskMarket.TooManyTags(params.tags.length, Limits.MAX_TAGS);
        }
        if (params.hookData.length > Limits.MAX_HOOK_DATA) {
            revert ITaskMarket.HookDataTooLong(params.hookData.length, Limits.MAX_HOOK_DATA);
        }
    }

    /// @dev Reverts with RewardTooLow if the reward is below the minimum. Reverts with AmountTooLarge if the reward
    /// exceeds 72 bits.
    function checkReward(uint256 reward) internal pure {
        if (reward < Limits.MIN_REWARD) revert ITaskMarket.RewardTooLow(reward, Limits.MIN_REWARD);
        toAmount(reward);
    }

    /// @dev Converts an amount to 72 bits. Reverts with AmountTooLarge if the amount does not fit.
    function toAmount(uint256 amount) internal pure returns (uint72) {
        if (amount > Limits.MAX_TOTAL_ESCROW) revert ITaskMarket.AmountTooLarge(amount, Limits.MAX_TOTAL_ESCROW);
        return SafeCast.toUint72(amount);
    }

    /// @dev Reverts with InvalidPrice if the clock price is invalid. In a dutch or reverse dutch auction the clock
    /// price must be above zero and at most the reward. In any other mode it must be zero.
    function checkClockPrice(Kind kind, uint256 price, uint256 reward) internal pure {
        bool isValid = Modes.isClock(kind) ? price > 0 && price <= reward : price == 0;
        if (!isValid) revert ITaskMarket.InvalidPrice(price);
    }

    /// @dev Returns whether the deadline for pitches, bids or price changes fits the expiry. In english and reverse
    /// english auctions the deadline must be before the expiry. In any other mode it may equal the expiry.
    function isEntryDeadline(Kind kind, uint256 entryDeadline, uint256 expiry) internal pure returns (bool) {
        return Modes.isBidding(kind) ? entryDeadline < expiry : entryDeadline <= expiry;
    }

    /// @dev Returns whether any field of the evaluator's terms is not zero.
    function hasEvaluator(EvaluatorTerms calldata terms) internal pure returns (bool) {
        return terms.evaluator != address(0) || terms.resolver != address(0) || terms.feeBps != 0
            || terms.evaluationWindow != 0 || terms.appealWindow != 0;
    }

    /// @dev Checks the terms of an evaluator. Reverts with InvalidEvaluator, FeeTooHigh or InvalidWindow.
    function checkEvaluation(EvaluatorTerms calldata terms, address requester, uint256 platformFeeBps) internal pure {
        (address evaluator, address resolver) = (terms.evaluator, terms.resolver);
        if (evaluator == address(0) || evaluator == requester) revert ITaskMarket.InvalidEvaluator(evaluator);
        if (resolver == evaluator || resolver == requester) revert ITaskMarket.InvalidEvaluator(resolver);
        uint256 maximum = Limits.BPS - platformFeeBps;
        if (terms.feeBps > maximum) revert ITaskMarket.FeeTooHigh(terms.feeBps, maximum);
        if (terms.evaluationWindow == 0 || terms.evaluationWindow > Limits.MAX_DURATION) {
            revert ITaskMarket.InvalidWindow(terms.evaluationWindow);
        }
        if (terms.appealWindow < Limits.MIN_APPEAL_WINDOW || terms.appealWindow > Limits.MAX_DURATION) {
            revert ITaskMarket.InvalidWindow(terms.appealWindow);
        }
    }

    /// @dev Reverts with InvalidStake if the stake is too high. The maximum is 100 % of the reward in claim mode, and
    /// zero in any other mode.
    function _checkStake(Kind kind, uint256 stakeBps) private pure {
        if (stakeBps > (kind == Kind.Claim ? Limits.BPS : 0)) revert ITaskMarket.InvalidStake(stakeBps);
    }

    /// @dev Reverts with InvalidDeadline if the pitch duration or the bid duration does not fit the mode or the task's
    /// duration.
    function _checkWindows(Kind kind, CreateTaskParams calldata params) private pure {
        (uint256 pitch, uint256 bid) = (params.pitchDuration, params.bidDuration);
        if (pitch != 0 && (kind != Kind.Pitch || !isEntryDeadline(kind, pitch, params.duration))) {
            revert ITaskMarket.InvalidDeadline(pitch);
        }
        if (bid != 0 && (!Modes.isAuction(kind) || !isEntryDeadline(kind, bid, params.duration))) {
            revert ITaskMarket.InvalidDeadline(bid);
        }
        if (bid == 0 && Modes.isBidding(kind)) revert ITaskMarket.InvalidDeadline(bid);
    }
}
