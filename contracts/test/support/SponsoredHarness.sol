// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RewardMath} from "../../src/sponsored/RewardMath.sol";
import {SettlementTree} from "../../src/sponsored/SettlementTree.sol";

/// @title Credits and settlements of rewards, many cases a call
contract SponsoredHarness {
    struct Case {
        bytes32 vaultId;
        uint64 epoch;
        bytes32 taskId;
        uint128 gross;
        uint256 feeBps;
        uint256 base;
        address requester;
        address[] workers;
        uint256[] amounts;
    }

    /// @param root Zero: nothing is credited.
    struct Result {
        uint128 fee;
        uint256[] earned;
        uint128 credited;
        uint128 creditedFee;
        bytes32 root;
    }

    function settlements(Case[] calldata cases) external pure returns (Result[] memory results) {
        results = new Result[](cases.length);
        for (uint256 i; i < cases.length; i++) {
            results[i] = settle(cases[i]);
        }
    }

    function settle(Case calldata one) private pure returns (Result memory result) {
        result.fee = RewardMath.feeOf(one.gross, one.feeBps);
        result.earned = RewardMath.earnedOf(one.gross - result.fee, one.base, one.requester, one.workers, one.amounts);
        (result.credited, result.creditedFee) = RewardMath.creditOf(result.fee, one.base, one.amounts, result.earned);
        if (result.credited == 0) return result;
        SettlementTree.Leaf memory leaf;
        (leaf.vaultId, leaf.epoch, leaf.allocationId, leaf.taskId) = (one.vaultId, one.epoch, one.taskId, one.taskId);
        result.root = SettlementTree.rootOfEarned(leaf, one.workers, result.earned);
    }
}
