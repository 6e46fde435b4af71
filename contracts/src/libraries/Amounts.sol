// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Limits} from "../types/Limits.sol";

/// @title Divisions of money in the market
/// @notice Contains every division of USDC amounts in the market. Amounts are base units in 72 bits. Parts are rounded
/// down. Each division defines who gets the remainder.
library Amounts {
    /// @dev Returns floor(amount * bps / 10000). It is used for platform fees, evaluators' fees and stakes.
    function partOf(uint72 amount, uint256 bps) internal pure returns (uint72) {
        return SafeCast.toUint72((amount * bps) / Limits.BPS);
    }

    /// @dev Splits a gross award into the platform fee and the worker's net payment, which sum to the gross award.
    function splitFee(uint72 gross, uint256 feeBps) internal pure returns (uint72 fee, uint72 net) {
        fee = partOf(gross, feeBps);
        net = gross - fee;
    }

    /// @dev Divides an amount by shares in basis points, which must sum to 10000. The first part also gets the rounding
    /// remainder.
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
