// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusRules, Completion, Side} from "../../src/bonus/BonusRules.sol";
import {
    BonusAccount,
    BonusBounds,
    BonusCaps,
    BonusLock,
    BonusRamp,
    BonusRole,
    BonusTerms,
    SkipReason
} from "../../src/interfaces/IBonusHook.sol";
import {HookAward} from "../../src/interfaces/ITaskHook.sol";

/// @title The rules of the token bonus, many cases a call
/// @notice Tests compare the read side's results with these, case by case.
contract BonusHarness {
    /// @param accounts The requester first.
    struct BonusCase {
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
        uint256 reserve;
        HookAward[] awards;
        address[] accounts;
        BonusAccount[] records;
    }

    struct Outcome {
        address account;
        BonusRole role;
        uint16 rank;
        bool isCredited;
        SkipReason reason;
        uint256 usdBonus;
        uint256 usdCredited;
        uint256 tokenPerUsdc;
        uint256 share;
        uint256 multiplierBps;
        uint256 credited;
    }

    /// @param outcomes Two places an award; the second is empty where the award as a whole earned nothing.
    struct Result {
        Outcome[] outcomes;
        BonusAccount[] records;
        uint256 usdOfEpoch;
        uint256 tokensOfEpoch;
        uint256 credited;
    }

    function bonuses(BonusCase[] calldata cases) external pure returns (Result[] memory results) {
        results = new Result[](cases.length);
        for (uint256 i; i < cases.length; i++) {
            results[i] = _run(cases[i]);
        }
    }

    function _run(BonusCase memory one) private pure returns (Result memory result) {
        Completion memory completion = _open(one);
        result.outcomes = new Outcome[](2 * one.awards.length);
        for (uint256 i; i < one.awards.length; i++) {
            (SkipReason reason, Side memory bonus) = BonusRules.valueOf(completion, one.awards[i]);
            if (bonus.tokens == 0) {
                Outcome memory skipped = result.outcomes[2 * i];
                (skipped.account, skipped.rank, skipped.reason) = (one.awards[i].worker, one.awards[i].rank, reason);
                continue;
            }
            (Side memory worker, Side memory requester) = BonusRules.divide(completion, bonus, one.awards[i].worker);
            result.outcomes[2 * i] = _credit(completion, worker, one);
            result.outcomes[2 * i + 1] = _credit(completion, requester, one);
        }
        result.records = one.records;
        (result.usdOfEpoch, result.tokensOfEpoch) = (completion.usdOfEpoch, completion.tokensOfEpoch);
        result.credited = completion.credited;
    }

    function _open(BonusCase memory one) private pure returns (Completion memory completion) {
        completion.requester = one.accounts[0];
        (completion.feeBps, completion.isContest) = (one.feeBps, one.isContest);
        (completion.terms, completion.bounds, completion.caps) = (one.terms, one.bounds, one.caps);
        (completion.ramp, completion.lock) = (one.ramp, one.lock);
        (completion.time, completion.epoch) = (one.time, one.epoch);
        (completion.usdOfEpoch, completion.tokensOfEpoch) = (one.usdOfEpoch, one.tokensOfEpoch);
        (completion.taskUsdLeft, completion.reserveLeft) = (one.caps.taskUsd, one.reserve);
    }

    function _credit(Completion memory completion, Side memory side, BonusCase memory one)
        private
        pure
        returns (Outcome memory outcome)
    {
        uint256 index;
        while (one.accounts[index] != side.account) index++;
        (bool isCredited, SkipReason reason) = BonusRules.credit(completion, side, one.records[index]);
        (outcome.account, outcome.role, outcome.rank) = (side.account, side.role, side.rank);
        (outcome.isCredited, outcome.reason) = (isCredited, reason);
        if (!isCredited) return outcome;
        outcome.reason = SkipReason(0);
        (outcome.usdBonus, outcome.usdCredited) = (side.usdBonus, side.usd);
        (outcome.tokenPerUsdc, outcome.share) = (side.tokenPerUsdc, side.share);
        (outcome.multiplierBps, outcome.credited) = (side.multiplierBps, side.tokens);
    }
}
