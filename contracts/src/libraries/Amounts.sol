// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Limits} from "../types/Limits.sol";

/// @title Every division of money in the market
/// @notice All amounts are USDC base units. Parts are floors; what a division leaves over has a named owner.
library Amounts {
    /// @dev Platform fee of an award, evaluator's fee, stake: floor(amount * bps / 10000).
    function partOf(uint256 amount, uint256 bps) internal pure returns (uint256) {
        return (amount * bps) / Limits.BPS;
    }

    /// @dev What of a gross award is the platform's and what the worker's; they sum to the gross.
    function splitFee(uint256 gross, uint256 feeBps) internal pure returns (uint256 fee, uint256 net) {
        fee = partOf(gross, feeBps);
        net = gross - fee;
    }

    /// @dev Shares an amount out, in the order of the shares, which sum to 10000. What the division leaves over belongs
    /// to the first, so that the parts sum to the amount.
    function split(uint256 amount, uint256[] memory sharesBps) internal pure returns (uint256[] memory parts) {
        parts = new uint256[](sharesBps.length);
        uint256 rest = amount;
        for (uint256 i; i < parts.length; i++) {
            parts[i] = partOf(amount, sharesBps[i]);
            rest -= parts[i];
        }
        parts[0] += rest;
    }
}
