// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ISponsoredVault, VaultManager, VaultTotals} from "../interfaces/ISponsoredVault.sol";
import {VaultBase} from "./VaultBase.sol";
import {VaultCharges} from "./VaultCharges.sol";
import {VaultClaims} from "./VaultClaims.sol";

/// @title A sponsor's tokens for the winners of tasks
/// @notice Holds a sponsor's tokens until winners claim them. `ISponsoredVault` documents every function. The factory
/// creates each vault as a clone of this contract. A vault's owner never changes.
contract SponsoredVault is VaultCharges, VaultClaims {
    /// @dev Time from the announcement of an exit to the exit, in seconds. In this time workers can still claim.
    uint64 private constant EXIT_NOTICE = 7 days;

    /// @param hook_ SponsoredTasksHook of the deployment.
    /// @param market Market whose fee recipient receives the platform fees.
    constructor(address hook_, address market) VaultBase(hook_, market) {}

    // --- The owner ---

    /// @inheritdoc ISponsoredVault
    function setManager(address manager, uint128 spendCap, bool active) external onlyOwner {
        VaultManager storage entry = _managers[manager];
        (entry.spendCap, entry.active) = (spendCap, active);
        emit ManagerSet(manager, spendCap, entry.spent, active);
    }

    /// @inheritdoc ISponsoredVault
    function setCharger(address charger, bool allowed) external onlyOwner {
        _chargers[charger] = allowed;
        emit ChargerSet(charger, allowed);
    }

    /// @inheritdoc ISponsoredVault
    function setFeeCredit(uint128 amount) external onlyOwner {
        _totals.feeCredit = amount;
        emit FeeCreditSet(_totals);
    }

    /// @inheritdoc ISponsoredVault
    function withdrawAvailable(address to, uint128 amount) external onlyOwner locked {
        // Check:
        if (amount == 0) revert ZeroAmount();
        _requireDestination(to);
        uint128 available = _totals.available;
        if (amount > available) revert InsufficientAvailable(amount, available);

        // Effect:
        _totals.available = available - amount;

        // Interaction:
        _transferOut(to, amount);
        _requireCovered();

        // Log:
        emit AvailableWithdrawn(to, amount, _totals);
    }

    /// @inheritdoc ISponsoredVault
    function announceExit() external onlyOwner {
        uint64 due = _life.exitAt;
        if (due != 0) revert ExitAlreadyAnnounced(due);
        due = SafeCast.toUint64(block.timestamp) + EXIT_NOTICE;
        _life.exitAt = due;
        emit ExitAnnounced(due);
    }

    /// @inheritdoc ISponsoredVault
    function exit(address to) external onlyOwner locked {
        // Check:
        Life memory life = _life;
        if (life.isExited) revert VaultNotActive();
        if (life.exitAt == 0 || block.timestamp < life.exitAt) revert ExitNotDue(life.exitAt);
        _requireDestination(to);

        // Effect:
        _life = Life({epoch: life.epoch + 1, exitAt: life.exitAt, isExited: true});
        (uint128 defaulted, uint128 fees) = (_totals.owed, _totals.fees);
        _totals = VaultTotals({available: 0, reserved: 0, owed: 0, fees: fees, feeCredit: 0});

        // Interaction:
        uint256 balance = _requireBalance();
        uint256 returned = balance > fees ? balance - fees : 0;
        if (returned > 0) _transferOut(to, returned);

        // Log:
        emit Exited(to, life.epoch + 1, defaulted, returned, _totals);
    }

    // --- Any account ---

    /// @inheritdoc ISponsoredVault
    function fund(uint256 amount) external locked returns (uint256 received) {
        // Check:
        if (_life.isExited) revert VaultNotActive();
        uint256 balanceBefore = _requireBalance();

        // Interaction:
        _transferIn(msg.sender, amount);
        received = _requireBalance() - balanceBefore;
        if (received == 0) revert ZeroAmount();

        // Effect, after the interaction that tells how much it is; the vault is locked meanwhile:
        _totals.available = _available(received);

        // Log:
        emit Funded(msg.sender, received, _totals);
    }

    /// @inheritdoc ISponsoredVault
    function collectFees() external locked returns (uint256 amount) {
        // Check:
        amount = _totals.fees;
        if (amount == 0) revert NothingToCollect();
        address to = MARKET.feeRecipient();

        // Effect:
        _totals.fees = 0;

        // Interaction:
        _transferOut(to, amount);
        _requireCovered();

        // Log:
        emit FeesCollected(to, amount, _totals);
    }

    // --- Views ---

    /// @inheritdoc ISponsoredVault
    function vaultId() external view returns (bytes32) {
        return _setup().vaultId;
    }

    /// @inheritdoc ISponsoredVault
    function owner() external view returns (address) {
        return _setup().owner;
    }

    /// @inheritdoc ISponsoredVault
    function token() external view returns (address) {
        return _setup().token;
    }

    /// @inheritdoc ISponsoredVault
    function hook() external view returns (address) {
        return HOOK;
    }

    /// @inheritdoc ISponsoredVault
    function epoch() external view returns (uint64) {
        return _life.epoch;
    }

    /// @inheritdoc ISponsoredVault
    function exitAt() external view returns (uint256) {
        return _life.exitAt;
    }

    /// @inheritdoc ISponsoredVault
    function isExited() external view returns (bool) {
        return _life.isExited;
    }

    /// @inheritdoc ISponsoredVault
    function totals() external view returns (VaultTotals memory) {
        return _totals;
    }

    /// @inheritdoc ISponsoredVault
    function managerOf(address manager) external view returns (VaultManager memory) {
        return _managers[manager];
    }

    /// @inheritdoc ISponsoredVault
    function isCharger(address charger) external view returns (bool) {
        return _chargers[charger];
    }

    /// @dev Returns the vault's available amount after `received` tokens have arrived: the present amount plus
    /// `received`. Reverts with UnsupportedToken if the sum of all amounts of the vault would exceed 128 bits.
    function _available(uint256 received) private view returns (uint128) {
        if (_counted() + received > type(uint128).max) revert UnsupportedToken();
        return _totals.available + SafeCast.toUint128(received);
    }
}
