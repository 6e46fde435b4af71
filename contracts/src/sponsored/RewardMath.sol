// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Limits} from "../types/Limits.sol";

/// @title Divisions of a reward
/// @notice Parts of a reward are rounded down. The remainder of a division returns to the sponsor.
library RewardMath {
    /// @dev Returns the platform fee of a fully awarded reward. The fee is a part of `gross`.
    function feeOf(uint128 gross, uint256 feeBps) internal pure returns (uint128) {
        return SafeCast.toUint128(uint256(gross) * feeBps / Limits.BPS);
    }

    /// @dev Returns the tokens that each award earns, in the order of the awards: `net` * amount / `base`. `net` is
    /// what the vault pays for the task, without the platform fee. `base` is the gross amount that the task can pay
    /// (`reward` of the task's context), in USDC base units. An award to the requester earns zero.
    function earnedOf(uint128 net, uint256 base, address requester, address[] memory workers, uint256[] memory amounts)
        internal
        pure
        returns (uint256[] memory earned)
    {
        earned = new uint256[](workers.length);
        for (uint256 i; i < earned.length; i++) {
            if (workers[i] != requester) earned[i] = partOf(net, amounts[i], base);
        }
    }

    /// @dev Returns the sum of the earned tokens, and the part of `fee` that belongs to the awards that earned tokens.
    /// `fee` is the platform fee of the whole charge. `base` is the gross amount that the task can pay (`reward` of the
    /// task's context), in USDC base units.
    function creditOf(uint128 fee, uint256 base, uint256[] memory amounts, uint256[] memory earned)
        internal
        pure
        returns (uint128 credited, uint128 creditedFee)
    {
        uint256 awarded;
        for (uint256 i; i < earned.length; i++) {
            if (earned[i] == 0) continue;
            credited += SafeCast.toUint128(earned[i]);
            awarded += amounts[i];
        }
        creditedFee = partOf(fee, awarded, base);
    }

    /// @dev Returns an award's part of the net reward or of the fee: floor(whole * amount / base). `whole`: the net
    /// reward or the fee. `amount`: the award, at most `base`.
    function partOf(uint128 whole, uint256 amount, uint256 base) internal pure returns (uint128) {
        return SafeCast.toUint128(uint256(whole) * amount / base);
    }
}
