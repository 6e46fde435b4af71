// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BonusRamp} from "../interfaces/IBonusHook.sol";

/// @title Divisions of a bonus
/// @notice Amounts of USDC and of the token are base units. Divisions round down except where they say otherwise.
/// Awards have 72 bits, rates 128, factors 32: no product exceeds 256 bits but those by `mulDiv`.
library BonusMath {
    /// @dev Basis points of a whole.
    uint256 internal constant BPS = 10_000;
    /// @dev Base units of one USDC.
    uint256 internal constant USDC = 1e6;

    /// @dev Returns the value of an award in USDC before bounds: a part of the award.
    function usdOf(uint256 gross, uint256 bonusBps) internal pure returns (uint256) {
        return (gross * bonusBps) / BPS;
    }

    /// @dev Returns the value of an award, from the value that was locked for the whole price. An evaluator's fee, or a
    /// partial verdict, leaves less than the price.
    function usdOfLocked(uint256 gross, uint256 price, uint256 bonusBps) internal pure returns (uint256) {
        return (usdOf(price, bonusBps) * gross) / price;
    }

    /// @dev Returns the most that an award's bonus may be worth: a part of its platform fee.
    function feeBound(uint256 gross, uint256 feeBps, uint256 maxBonusPerFeeBps) internal pure returns (uint256) {
        // The fee is rounded down first, as the market takes it.
        // forge-lint: disable-next-line(divide-before-multiply)
        return (((gross * feeBps) / BPS) * maxBonusPerFeeBps) / BPS;
    }

    /// @dev Returns the locked rate, at most a multiple of the present one.
    function boundRate(uint256 locked, uint256 present, uint256 maxRateDriftBps) internal pure returns (uint256) {
        return Math.min(locked, (present * maxRateDriftBps) / BPS);
    }

    /// @dev Returns the tokens of a value in USDC.
    function tokensOf(uint256 usd, uint256 tokenPerUsdc) internal pure returns (uint256) {
        return (usd * tokenPerUsdc) / USDC;
    }

    /// @dev Returns a part of an amount.
    function partOf(uint256 amount, uint256 bps) internal pure returns (uint256) {
        return (amount * bps) / BPS;
    }

    /// @dev Cuts a bonus to an amount of USDC; its tokens follow.
    function cutToUsd(uint256 usd, uint256 tokens, uint256 most) internal pure returns (uint256, uint256) {
        return usd <= most ? (usd, tokens) : (most, Math.mulDiv(tokens, most, usd));
    }

    /// @dev Cuts a bonus to an amount of tokens. Its USDC follow, rounded up: what counts against the caps is never
    /// below what is credited.
    function cutToTokens(uint256 usd, uint256 tokens, uint256 most) internal pure returns (uint256, uint256) {
        return tokens <= most ? (usd, tokens) : (Math.mulDiv(usd, most, tokens, Math.Rounding.Ceil), most);
    }

    /// @dev Returns the multiplier of a wallet's age in seconds, basis points.
    function multiplierOf(BonusRamp memory ramp, uint256 age) internal pure returns (uint256) {
        if (age >= ramp.afterSeconds[2]) return ramp.multiplierBps[3];
        if (age >= ramp.afterSeconds[1]) return ramp.multiplierBps[2];
        if (age >= ramp.afterSeconds[0]) return ramp.multiplierBps[1];
        return ramp.multiplierBps[0];
    }
}
