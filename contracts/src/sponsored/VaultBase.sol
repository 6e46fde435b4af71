// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ISponsoredVault, VaultCharge, VaultManager, VaultTotals} from "../interfaces/ISponsoredVault.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";

/// @title State of a vault, and its token
/// @notice While tokens move no other function of the vault can be called: a token that calls back would be counted
/// twice.
abstract contract VaultBase is ISponsoredVault, EIP712 {
    /// @dev Settings of a vault, appended to the code of its clone.
    /// @param vaultId Id of the vault.
    /// @param owner The sponsor.
    /// @param token Token of all amounts.
    struct Setup {
        bytes32 vaultId;
        address owner;
        address token;
    }

    /// @dev The stage of the vault, in one slot.
    /// @param epoch 0 until the exit, 1 after it.
    /// @param exitAt Unix seconds from which the owner may exit; zero: not announced.
    /// @param isExited Whether the vault has ended.
    struct Life {
        uint64 epoch;
        uint64 exitAt;
        bool isExited;
    }

    /// @dev Gas of `balanceOf` of the token.
    uint256 private constant BALANCE_GAS = 60_000;
    /// @dev Gas of a transfer of the token.
    uint256 private constant TRANSFER_GAS = 150_000;

    /// @dev Hook of the deployment.
    address internal immutable HOOK;
    /// @dev Market whose fee recipient collects platform fees.
    ITaskMarket internal immutable MARKET;

    /// @dev Stage of the vault.
    Life internal _life;
    /// @dev Parts of the vault.
    VaultTotals internal _totals;
    /// @dev Managers by account.
    mapping(address account => VaultManager) internal _managers;
    /// @dev Hooks that may make new charges.
    mapping(address account => bool) internal _chargers;
    /// @dev Charges by task.
    mapping(bytes32 taskId => VaultCharge) internal _charges;

    /// @dev True while a call is in progress.
    bool private transient _entered;

    /// @dev Sets the code that all vaults share.
    constructor(address hook_, address market) EIP712("SponsoredTasksVault", "1") {
        (HOOK, MARKET) = (hook_, ITaskMarket(market));
    }

    /// @dev Reverts with NotTheOwner.
    modifier onlyOwner() {
        if (msg.sender != _setup().owner) revert NotTheOwner(msg.sender);
        _;
    }

    /// @dev Refuses a call from inside a call.
    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    /// @dev Returns the settings of this vault.
    function _setup() internal view returns (Setup memory) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (Setup));
    }

    /// @dev Returns the balance; `ok` is false when the token cannot be read.
    function _balance() internal view returns (bool ok, uint256 balance) {
        return BoundedCall.readWord(_setup().token, BALANCE_GAS, abi.encodeCall(IERC20.balanceOf, (address(this))));
    }

    /// @dev Returns the balance. Reverts with UnsupportedToken.
    function _requireBalance() internal view returns (uint256) {
        (bool ok, uint256 balance) = _balance();
        if (!ok) revert UnsupportedToken();
        return balance;
    }

    /// @dev Pulls tokens. Reverts with TransferFailed.
    function _transferIn(address from, uint256 amount) internal {
        _callToken(abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)));
    }

    /// @dev Sends tokens. A token that takes more than the transfer names would take it from the claims of others.
    function _transferOut(address to, uint256 amount) internal {
        uint256 balanceBefore = _requireBalance();
        _callToken(abi.encodeCall(IERC20.transfer, (to, amount)));
        if (_requireBalance() + amount < balanceBefore) revert UnsupportedToken();
    }

    /// @dev Refuses addresses at which tokens would belong to no account.
    function _requireDestination(address destination) internal view {
        bool isLost = destination == address(0) || destination == address(this) || destination == _setup().token;
        if (isLost) revert InvalidDestination(destination);
    }

    /// @dev Returns what the vault counts. Its parts fit into 128 bits together.
    function _counted() internal view returns (uint256) {
        VaultTotals memory present = _totals;
        return uint256(present.available) + present.reserved + present.owed + present.fees;
    }

    /// @dev Requires a covered vault after tokens left for the owner or the platform: where tokens are missing, workers
    /// come first.
    function _requireCovered() internal view {
        if (_requireBalance() < _counted()) revert VaultInsolvent();
    }

    /// @dev Reverts with TransferFailed.
    function _callToken(bytes memory data) private {
        if (!BoundedCall.tryTokenCall(_setup().token, TRANSFER_GAS, data)) revert TransferFailed();
    }
}
