// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Limits} from "../types/Limits.sol";

/// @title Every division of a reward
/// @notice All parts are floors; what a division leaves over is the sponsor's.
library RewardMath {
    /// @dev Platform fee of a full award, part of `gross`.
    function feeOf(uint128 gross, uint256 feeBps) internal pure returns (uint128) {
        return SafeCast.toUint128(uint256(gross) * feeBps / Limits.BPS);
    }

    /// @dev What an award earns of `net`, and likewise of the fee. `amount` is at most `base`.
    function partOf(uint128 whole, uint256 amount, uint256 base) internal pure returns (uint128) {
        return SafeCast.toUint128(uint256(whole) * amount / base);
    }
}
