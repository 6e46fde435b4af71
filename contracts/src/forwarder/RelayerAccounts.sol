// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../interfaces/IPrepaidMoney.sol";
import {ForwarderBase} from "./ForwarderBase.sol";

/// @title Relayers, the guardian, and the fees of relayed calls
/// @notice One storage slot contains a relayer's permission and the fees of the relayer's calls. A relayed call reads
/// the permission and adds its fee in this one slot. No total of all fees is stored, because every relayed call would
/// have to write the total to a second slot. The function `fees` computes the total.
abstract contract RelayerAccounts is ForwarderBase {
    /// @notice The permission of a relayer, and the collected fees of the relayer's calls, in one storage slot.
    /// @param term Odd while the account may relay. Each permission adds one, and each dismissal adds one.
    /// @param fees Sum of the action fees of the relayer's calls since the owner last withdrew the fees, in USDC base
    /// units.
    struct RelayerAccount {
        uint32 term;
        uint96 fees;
    }

    /// @dev Each relayer's permission and collected fees.
    mapping(address relayer => RelayerAccount) private _accounts;

    /// @dev Every account that was ever a relayer; no account occurs twice. The function `fees` adds up the fees of
    /// these accounts.
    address[] private _everyRelayer;

    /// @inheritdoc IPrepaidMoney
    address public guardian;

    /// @dev Reverts with NotRelayer if the caller is not a relayer.
    modifier onlyRelayer() {
        _requireRelayer();
        _;
    }

    /// @inheritdoc IPaymentForwarder
    function setRelayer(address relayer, bool allowed) external onlyOwner {
        // Check:
        if (allowed && relayer == guardian) revert GuardianIsRelayer(relayer);

        // Effect:
        RelayerAccount storage account = _accounts[relayer];
        if (allowed != _isRelayer(relayer)) {
            if (account.term == 0) _everyRelayer.push(relayer);
            account.term++;
        }

        // Log:
        emit RelayerSet(relayer, allowed);
    }

    /// @inheritdoc IPrepaidMoney
    function setGuardian(address account) external onlyOwner {
        if (_isRelayer(account)) revert GuardianIsRelayer(account);
        guardian = account;
        emit GuardianSet(account);
    }

    /// @inheritdoc IPaymentForwarder
    function sweepFees(address to) external onlyOwner locked {
        // Check:
        // Fees sent to these addresses would belong to no account.
        if (to == address(0) || to == address(this)) revert ZeroAddress();
        uint256 amount = fees();
        if (amount == 0) revert NothingToSweep();

        // Effect:
        for (uint256 i; i < _everyRelayer.length; i++) {
            _accounts[_everyRelayer[i]].fees = 0;
        }

        // Interaction:
        SafeERC20.safeTransfer(USDC, to, amount);

        // Log:
        emit FeesSwept(to, amount);
    }

    /// @inheritdoc IPaymentForwarder
    function relayers(address relayer) external view returns (bool) {
        return _isRelayer(relayer);
    }

    /// @inheritdoc IPaymentForwarder
    function fees() public view returns (uint256 sum) {
        for (uint256 i; i < _everyRelayer.length; i++) {
            sum += _accounts[_everyRelayer[i]].fees;
        }
    }

    /// @dev Adds an action fee to the collected fees of the calling relayer.
    function _bookFee(uint256 fee) internal {
        _accounts[msg.sender].fees += SafeCast.toUint96(fee);
    }

    /// @dev Returns the `term` of an account. The term is odd while the account may relay, and changes with each
    /// permission or dismissal.
    function _termOf(address account) internal view returns (uint32) {
        return _accounts[account].term;
    }

    /// @dev Reverts with NotRelayer if the caller is not a relayer. The check is a function, not only a modifier, so
    /// that it is compiled once.
    function _requireRelayer() private view {
        if (!_isRelayer(msg.sender)) revert NotRelayer(msg.sender);
    }

    /// @dev Returns whether the account is a relayer.
    function _isRelayer(address account) internal view returns (bool) {
        return _accounts[account].term & 1 == 1;
    }
}
