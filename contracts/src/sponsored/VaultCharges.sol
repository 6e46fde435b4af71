// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ChargeState, ISponsoredVault, VaultCharge, VaultManager, VaultTotals} from "../interfaces/ISponsoredVault.sol";
import {FundingProblems} from "./FundingProblems.sol";
import {VaultBase} from "./VaultBase.sol";

/// @title Charges that hooks make to a vault
/// @notice A charge moves tokens from `available` to `reserved`. A credit moves the earned tokens to `owed`, the
/// platform fee to `fees`, and the rest back to `available`. A release moves the whole charge back to `available`. The
/// owner cannot prevent a credit or a release.
abstract contract VaultCharges is VaultBase {
    /// @inheritdoc ISponsoredVault
    function charge(bytes32 taskId, address manager, uint128 gross, uint128 fee) external locked {
        // Check:
        if (gross == 0) revert ZeroAmount();
        if (fee > gross) revert AboveCharge(0, fee, gross);
        if (_charges[taskId].state != ChargeState.None) revert AlreadyCharged(taskId);
        _requireFundable(msg.sender, manager, gross, fee);

        // Effect:
        _charges[taskId] = VaultCharge({
            hook: msg.sender,
            epoch: _life.epoch,
            state: ChargeState.Reserved,
            manager: manager,
            gross: gross,
            fee: fee,
            credited: 0,
            paid: 0,
            root: 0
        });
        uint128 spent = _managers[manager].spent + gross;
        _managers[manager].spent = spent;
        VaultTotals memory totals_ = _totals;
        totals_.available -= gross;
        totals_.reserved += gross;
        totals_.feeCredit -= fee;
        _totals = totals_;

        // Log:
        emit RewardCharged(taskId, manager, msg.sender, gross, gross - fee, fee, spent, totals_);
    }

    /// @inheritdoc ISponsoredVault
    function credit(bytes32 taskId, uint128 credited, uint128 fee, uint256 base) external locked {
        // Check:
        VaultCharge storage entry = _ownCharge(taskId);
        if (entry.epoch != _life.epoch) return;
        if (entry.state != ChargeState.Reserved) revert NotReserved(taskId, entry.state);
        (uint128 gross, uint128 fullFee) = (entry.gross, entry.fee);
        bool isAbove = fee > fullFee || credited > gross - fullFee;
        if (isAbove) revert AboveCharge(credited, fee, gross);

        // Effect:
        (entry.state, entry.credited) = (ChargeState.Credited, credited);
        uint128 released = gross - credited - fee;
        VaultTotals memory totals_ = _totals;
        totals_.owed += credited;
        totals_.fees += fee;
        uint128 spent = _releaseCharge(totals_, entry, released, fullFee - fee);

        // Log:
        emit RewardCredited(taskId, credited, fee, released, base, spent, totals_);
    }

    /// @inheritdoc ISponsoredVault
    function release(bytes32 taskId) external locked {
        // Check:
        VaultCharge storage entry = _ownCharge(taskId);
        if (entry.epoch != _life.epoch) return;
        if (entry.state != ChargeState.Reserved) revert NotReserved(taskId, entry.state);

        // Effect:
        entry.state = ChargeState.Released;
        VaultTotals memory totals_ = _totals;
        uint128 spent = _releaseCharge(totals_, entry, entry.gross, entry.fee);

        // Log:
        emit RewardReleased(taskId, entry.gross, spent, totals_);
    }

    /// @inheritdoc ISponsoredVault
    function settle(bytes32 taskId, bytes32 root, address[] calldata workers, uint256[] calldata amounts)
        external
        locked
    {
        // Check:
        VaultCharge storage entry = _ownCharge(taskId);
        if (entry.epoch != _life.epoch) revert WrongEpoch(_life.epoch, entry.epoch);
        if (entry.state != ChargeState.Credited) revert NotCredited(taskId, entry.state);
        uint256 total;
        for (uint256 i; i < amounts.length; i++) {
            total += amounts[i];
        }
        if (total != entry.credited) revert TotalMismatch(entry.credited, total);

        // Effect:
        (entry.state, entry.root) = (ChargeState.Settled, root);

        // Log:
        emit SettlementInstalled(taskId, entry.epoch, root, total, workers, amounts);
    }

    /// @inheritdoc ISponsoredVault
    function chargeOf(bytes32 taskId) external view returns (VaultCharge memory) {
        return _charges[taskId];
    }

    /// @inheritdoc ISponsoredVault
    function problemsOf(address charger, address manager, uint256 gross, uint256 fee) public view returns (uint256) {
        uint256 problems = _problemsOfMoney(gross, fee);
        if (_life.exitAt != 0) problems |= FundingProblems.VAULT_NOT_ACTIVE;
        if (!_chargers[charger]) problems |= FundingProblems.HOOK_NOT_AUTHORIZED_CHARGER;
        VaultManager memory entry = _managers[manager];
        if (!entry.active) problems |= FundingProblems.MANAGER_NOT_ACTIVE;
        if (gross > type(uint128).max || entry.spent + gross > entry.spendCap) {
            problems |= FundingProblems.MANAGER_CAP_EXCEEDED;
        }
        return problems;
    }

    /// @dev Returns the reasons why the vault's balance, available tokens or fee credit do not allow a charge, as bits
    /// of `FundingProblems`.
    function _problemsOfMoney(uint256 gross, uint256 fee) private view returns (uint256 problems) {
        VaultTotals memory present = _totals;
        (bool ok, uint256 balance) = _balance();
        if (!ok || balance < _counted()) problems |= FundingProblems.VAULT_INSOLVENT;
        if (gross > present.available) problems |= FundingProblems.VAULT_INSUFFICIENT_AVAILABLE;
        if (fee > present.feeCredit) problems |= FundingProblems.INSUFFICIENT_FEE_CREDIT;
    }

    /// @dev Reverts if `problemsOf` finds at least one problem of the charge. If there are several problems, the error
    /// is that of the first problem in the order of the checks below.
    function _requireFundable(address charger, address manager, uint256 gross, uint256 fee) private view {
        uint256 problems = problemsOf(charger, manager, gross, fee);
        if (problems == 0) return;
        if (problems & FundingProblems.VAULT_NOT_ACTIVE != 0) revert VaultNotActive();
        if (problems & FundingProblems.HOOK_NOT_AUTHORIZED_CHARGER != 0) revert NotACharger(charger);
        if (problems & FundingProblems.MANAGER_NOT_ACTIVE != 0) revert ManagerNotActive(manager);
        if (problems & FundingProblems.MANAGER_CAP_EXCEEDED != 0) {
            VaultManager memory entry = _managers[manager];
            revert ManagerCapExceeded(manager, entry.spent, gross, entry.spendCap);
        }
        if (problems & FundingProblems.VAULT_INSOLVENT != 0) revert VaultInsolvent();
        if (problems & FundingProblems.VAULT_INSUFFICIENT_AVAILABLE != 0) {
            revert InsufficientAvailable(gross, _totals.available);
        }
        revert InsufficientFeeCredit(fee, _totals.feeCredit);
    }

    /// @dev Returns the charge for a task. Reverts with NotTheHookOfTheCharge if the caller did not make the charge.
    function _ownCharge(bytes32 taskId) private view returns (VaultCharge storage entry) {
        entry = _charges[taskId];
        if (entry.hook != msg.sender) revert NotTheHookOfTheCharge(msg.sender);
    }

    /// @dev Ends the reservation of a charge. Adds `released` to the available tokens and `feeCredit` to the fee
    /// credit, and lowers the manager's spending. Returns the manager's new spending.
    function _releaseCharge(VaultTotals memory totals_, VaultCharge storage entry, uint128 released, uint128 feeCredit)
        private
        returns (uint128 spent)
    {
        totals_.reserved -= entry.gross;
        totals_.available += released;
        // The owner may have raised the allowance to its maximum meanwhile.
        totals_.feeCredit =
            feeCredit > type(uint128).max - totals_.feeCredit ? type(uint128).max : totals_.feeCredit + feeCredit;
        _totals = totals_;
        spent = _managers[entry.manager].spent - released;
        _managers[entry.manager].spent = spent;
    }
}
