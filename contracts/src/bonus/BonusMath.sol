// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BonusRamp} from "../interfaces/IBonusHook.sol";

/// @title Divisions of a bonus
/// @notice Amounts of USDC and of the token are base units. Divisions round down unless a function says otherwise. An
/// award has 72 bits, a rate 128 bits, and a number of basis points at most 32 bits. Their products therefore fit into
/// 256 bits. Products that could be larger use `mulDiv`.
library BonusMath {
    /// @dev The number of basis points that equals 100 %.
    uint256 internal constant BPS = 10_000;
    /// @dev The number of base units in one USDC.
    uint256 internal constant USDC = 1e6;

    /// @dev Returns the value of an award's bonus in USDC, before limits: `bonusBps` basis points of the gross award.
    function usdOf(uint256 gross, uint256 bonusBps) internal pure returns (uint256) {
        return (gross * bonusBps) / BPS;
    }

    /// @dev Returns the USDC value of an award's bonus for a task with locked bonus terms: `usdOf(price, bonusBps) *
    /// gross / price`. The award `gross` can be below the locked `price`, for example after a partial verdict.
    function usdOfLocked(uint256 gross, uint256 price, uint256 bonusBps) internal pure returns (uint256) {
        return (usdOf(price, bonusBps) * gross) / price;
    }

    /// @dev Returns the highest value that an award's bonus may have in USDC: `maxBonusPerFeeBps` basis points of the
    /// award's platform fee.
    function feeBound(uint256 gross, uint256 feeBps, uint256 maxBonusPerFeeBps) internal pure returns (uint256) {
        // The fee is rounded down first, as the market takes it.
        // forge-lint: disable-next-line(divide-before-multiply)
        return (((gross * feeBps) / BPS) * maxBonusPerFeeBps) / BPS;
    }

    /// @dev Returns the exchange rate that was locked at the assignment, but at most `maxRateDriftBps` basis points of
    /// the present rate.
    function boundRate(uint256 locked, uint256 present, uint256 maxRateDriftBps) internal pure returns (uint256) {
        return Math.min(locked, (present * maxRateDriftBps) / BPS);
    }

    /// @dev Converts a value in USDC into reward tokens at the given exchange rate.
    function tokensOf(uint256 usd, uint256 tokenPerUsdc) internal pure returns (uint256) {
        return (usd * tokenPerUsdc) / USDC;
    }

    /// @dev Returns `bps` basis points of an amount.
    function partOf(uint256 amount, uint256 bps) internal pure returns (uint256) {
        return (amount * bps) / BPS;
    }

    /// @dev Limits the value of a bonus to `most` base units of USDC, and reduces the tokens in proportion. Returns the
    /// value and the tokens.
    function cutToUsd(uint256 usd, uint256 tokens, uint256 most) internal pure returns (uint256, uint256) {
        return usd <= most ? (usd, tokens) : (most, Math.mulDiv(tokens, most, usd));
    }

    /// @dev Limits the tokens of a bonus to `most` base units, and reduces the USDC value in proportion. The USDC value
    /// is rounded up, because the caps count it. Returns the value and the tokens.
    function cutToTokens(uint256 usd, uint256 tokens, uint256 most) internal pure returns (uint256, uint256) {
        return tokens <= most ? (usd, tokens) : (Math.mulDiv(usd, most, tokens, Math.Rounding.Ceil), most);
    }

    /// @dev Returns the multiplier for a wallet of the given age in seconds, in basis points.
    function multiplierOf(BonusRamp memory ramp, uint256 age) internal pure returns (uint256) {
        if (age >= ramp.afterSeconds[2]) return ramp.multiplierBps[3];
        if (age >= ramp.afterSeconds[1]) return ramp.multiplierBps[2];
        if (age >= ramp.afterSeconds[0]) return ramp.multiplierBps[1];
        return ramp.multiplierBps[0];
    }
}
