// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {HookLib} from "../libraries/HookLib.sol";
import {Limits} from "../types/Limits.sol";
import {MarketFlags} from "../types/MarketFlags.sol";
import {MarketBase} from "./MarketBase.sol";

/// @title Rights of the market's owner
/// @notice The owner sets the platform fee and the default hooks of future tasks. The owner also sets the receiver of
/// fees and the ERC-8004 registries, pauses and unpauses entries, and withdraws USDC that the market does not owe. The
/// owner cannot change existing tasks or reduce what the market owes.
abstract contract MarketAdmin is MarketBase {
    /// @inheritdoc ITaskMarket
    function setFeeBps(uint16 newFeeBps) external onlyOwner {
        _setFeeBps(newFeeBps);
    }

    /// @inheritdoc ITaskMarket
    function setFeeRecipient(address recipient) external onlyOwner {
        _setFeeRecipient(recipient);
    }

    /// @inheritdoc ITaskMarket
    function setRegistries(address identity, address reputation) external onlyOwner {
        _setRegistries(identity, reputation);
    }

    /// @inheritdoc ITaskMarket
    function setDefaultHooks(address[] calldata hooks) external onlyOwner {
        HookLib.validateDefaults(hooks);
        _market.defaultHooks = hooks;
        _setFlag(MarketFlags.DEFAULT_HOOKS, hooks.length > 0);
        emit DefaultHooksSet(hooks);
    }

    /// @inheritdoc ITaskMarket
    function pause() external onlyOwner {
        _setFlag(MarketFlags.PAUSED, true);
        emit Paused(msg.sender);
    }

    /// @inheritdoc ITaskMarket
    function unpause() external onlyOwner {
        _setFlag(MarketFlags.PAUSED, false);
        emit Unpaused(msg.sender);
    }

    /// @inheritdoc ITaskMarket
    function sweepExcess(address to) external onlyOwner locked {
        // Check:
        if (to == address(0)) revert ZeroAddress();
        (uint256 balance, uint256 owed) = (USDC.balanceOf(address(this)), _market.totalEscrow);
        if (balance <= owed) revert NothingToSweep();

        // Interaction:
        SafeERC20.safeTransfer(USDC, to, balance - owed);

        // Log:
        emit ExcessSwept(to, balance - owed);
    }

    function _setFlag(uint8 flag, bool on) private {
        _market.flags = on ? _market.flags | flag : _market.flags & ~flag;
    }

    function _setFeeBps(uint16 newFeeBps) internal {
        if (newFeeBps > Limits.MAX_FEE_BPS) revert FeeTooHigh(newFeeBps, Limits.MAX_FEE_BPS);
        _market.feeBps = newFeeBps;
        emit FeeUpdated(newFeeBps);
    }

    function _setFeeRecipient(address recipient) internal {
        if (recipient == address(0)) revert ZeroAddress();
        if (recipient == address(this) || recipient == FORWARDER) revert InvalidRecipient(recipient);
        _market.feeRecipient = recipient;
        emit FeeRecipientUpdated(recipient);
    }

    function _setRegistries(address identity, address reputation) internal {
        (_market.identityRegistry, _market.reputationRegistry) = (identity, reputation);
        emit RegistryUpdated(identity, reputation);
    }
}
