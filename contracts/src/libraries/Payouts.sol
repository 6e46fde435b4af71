// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {MarketStorage} from "../types/MarketStorage.sol";

/// @title Transfers of USDC into and out of the market
/// @notice `totalEscrow` is the amount that the market owes. It rises before the market takes USDC, and falls before
/// the market pays USDC.
library Payouts {
    /// @dev Adds `amount` to `totalEscrow` and takes it from the caller. Reverts with AmountTooLarge if `totalEscrow`
    /// would exceed 72 bits. Reverts with USDC's error if the transfer fails.
    function take(MarketStorage storage market, IERC20 usdc, uint72 amount) internal {
        uint256 total = uint256(market.totalEscrow) + amount;
        if (total > Limits.MAX_TOTAL_ESCROW) revert ITaskMarket.AmountTooLarge(amount, Limits.MAX_TOTAL_ESCROW);
        market.totalEscrow = SafeCast.toUint72(total);
        SafeERC20.safeTransferFrom(usdc, msg.sender, address(this), amount);
    }

    /// @dev Pays an amount that was already subtracted from `totalEscrow`. If USDC refuses the transfer, the amount
    /// becomes a credit of the account. One blacklisted receiver can therefore not block a settlement.
    function pay(MarketStorage storage market, IERC20 usdc, bytes32 taskId, address to, uint72 amount) internal {
        if (amount == 0 || SafeERC20.trySafeTransfer(usdc, to, amount)) return;
        market.totalEscrow += amount;
        market.credits[to] += amount;
        emit ITaskMarketEvents.PayoutDeferred(to, taskId, amount);
    }
}
