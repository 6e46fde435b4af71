// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Limits} from "../types/Limits.sol";

/// @title Divisions of money in the market
/// @notice Every division of USDC is here. Amounts are base units in 72 bits. A part is rounded down; the remainder of
/// a division has a named owner, so that no base unit is lost.
library Amounts {
    /// @dev Returns floor(amount * bps / 10000): a platform fee, an evaluator's fee or a stake.
    function partOf(uint72 amount, uint256 bps) internal pure returns (uint72) {
        return SafeCast.toUint72((amount * bps) / Limits.BPS);
    }

    /// @dev Returns the platform's and the worker's part of a gross award; they sum to the gross.
    function splitFee(uint72 gross, uint256 feeBps) internal pure returns (uint72 fee, uint72 net) {
        fee = partOf(gross, feeBps);
        net = gross - fee;
    }

    /// @dev Divides an amount by shares, which sum to 10000. The remainder goes to the first, so that the parts sum to
    /// the amount.
    function split(uint72 amount, uint256[] memory sharesBps) internal pure returns (uint72[] memory parts) {
        parts = new uint72[](sharesBps.length);
        uint72 rest = amount;
        for (uint256 i; i < parts.length; i++) {
            parts[i] = partOf(amount, sharesBps[i]);
            rest -= parts[i];
        }
        parts[0] += rest;
    }
}
