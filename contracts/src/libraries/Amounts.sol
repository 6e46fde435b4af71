// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Limits} from "../types/Limits.sol";

/// @title Every division of money in the market
/// @notice All amounts are USDC base units in 72 bits, the most the market can hold. Parts are floors; what a division
/// leaves over has a named owner.
library Amounts {
    /// @dev Platform fee of an award, evaluator's fee, stake: floor(amount * bps / 10000).
    function partOf(uint72 amount, uint256 bps) internal pure returns (uint72) {
        return SafeCast.toUint72((amount * bps) / Limits.BPS);
    }

    /// @dev What of a gross award is the platform's and what the worker's; they sum to the gross.
    function splitFee(uint72 gross, uint256 feeBps) internal pure returns (uint72 fee, uint72 net) {
        fee = partOf(gross, feeBps);
        net = gross - fee;
    }

    /// @dev Shares an amount out, in the order of the shares, which sum to 10000. What the division leaves over belongs
    /// to the first, so that the parts sum to the amount.
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
