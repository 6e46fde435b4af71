// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {MarketStorage} from "../types/MarketStorage.sol";

/// @title The only two ways money crosses the market's border
/// @notice `totalEscrow` is what the market owes. It grows before money is pulled and shrinks before money is paid.
library Payouts {
    /// @dev Books `amount` as owed and takes it from the caller. Reverts with AmountTooLarge, and as USDC does.
    function take(MarketStorage storage market, IERC20 usdc, uint72 amount) internal {
        uint256 total = uint256(market.totalEscrow) + amount;
        if (total > Limits.MAX_TOTAL_ESCROW) revert ITaskMarket.AmountTooLarge(amount, Limits.MAX_TOTAL_ESCROW);
        market.totalEscrow = SafeCast.toUint72(total);
        SafeERC20.safeTransferFrom(usdc, msg.sender, address(this), amount);
    }

    /// @dev Pays what is no longer booked. A payout that cannot be delivered (blacklisted account, paused token) is
    /// booked again as the account's credit: one bad recipient never blocks a settlement.
    function pay(MarketStorage storage market, IERC20 usdc, bytes32 taskId, address to, uint72 amount) internal {
        if (amount == 0 || SafeERC20.trySafeTransfer(usdc, to, amount)) return;
        market.totalEscrow += amount;
        market.credits[to] += amount;
        emit ITaskMarketEvents.PayoutDeferred(to, taskId, amount);
    }
}
