// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ISponsoredVault, VaultCharge, VaultManager, VaultTotals} from "../interfaces/ISponsoredVault.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";

/// @title State and token transfers of a vault
/// @notice Every token transfer runs inside a function with the modifier `locked`. While a transfer runs, the token
/// contract can therefore call no function with this modifier. Otherwise the token contract could make the vault count
/// the same tokens twice.
abstract contract VaultBase is ISponsoredVault, EIP712 {
    /// @dev Settings of a vault. They are stored at the end of the code of the vault's clone.
    /// @param vaultId Id of the vault.
    /// @param owner The sponsor.
    /// @param token Token that the vault holds.
    struct Setup {
        bytes32 vaultId;
        address owner;
        address token;
    }

    /// @dev The stage of a vault: exit not announced, exit announced, or exited.
    /// @param epoch 0 until the exit, 1 after the exit.
    /// @param exitAt Unix time in seconds from which the owner may exit; zero if no exit is announced.
    /// @param isExited Whether the owner has closed the vault by `exit`.
    struct Life {
        uint64 epoch;
        uint64 exitAt;
        bool isExited;
    }

    /// @dev Gas of a call to `balanceOf` of the token.
    uint256 private constant BALANCE_GAS = 60_000;
    /// @dev Gas of a call to `transfer` or `transferFrom` of the token.
    uint256 private constant TRANSFER_GAS = 150_000;

    /// @dev SponsoredTasksHook of the deployment.
    address internal immutable HOOK;
    /// @dev Market whose fee recipient receives the platform fees of the vault.
    ITaskMarket internal immutable MARKET;

    /// @dev The stage of the vault: the epoch, and whether the exit is announced or done.
    Life internal _life;
    /// @dev The vault's available, reserved, owed and fee amounts, and its fee credit.
    VaultTotals internal _totals;
    /// @dev The spending cap, spent tokens and permission of each manager.
    mapping(address account => VaultManager) internal _managers;
    /// @dev Hooks that may make new charges.
    mapping(address account => bool) internal _chargers;
    /// @dev The charge (reserved reward) of each task.
    mapping(bytes32 taskId => VaultCharge) internal _charges;

    /// @dev True while a function with the modifier `locked` runs.
    bool private transient _entered;

    /// @dev Stores the hook and the market in the code that all vaults share.
    constructor(address hook_, address market) EIP712("SponsoredTasksVault", "1") {
        (HOOK, MARKET) = (hook_, ITaskMarket(market));
    }

    /// @dev Reverts with NotTheOwner if the caller is not the vault's owner.
    modifier onlyOwner() {
        if (msg.sender != _setup().owner) revert NotTheOwner(msg.sender);
        _;
    }

    /// @dev Reverts with Reentered if a function with this modifier is already running.
    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    /// @dev Returns the settings with which this vault was created.
    function _setup() internal view returns (Setup memory) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (Setup));
    }

    /// @dev Returns the vault's token balance. `ok` is false if the balance cannot be read.
    function _balance() internal view returns (bool ok, uint256 balance) {
        return BoundedCall.readWord(_setup().token, BALANCE_GAS, abi.encodeCall(IERC20.balanceOf, (address(this))));
    }

    /// @dev Returns the vault's token balance. Reverts with UnsupportedToken if the balance cannot be read.
    function _requireBalance() internal view returns (uint256) {
        (bool ok, uint256 balance) = _balance();
        if (!ok) revert UnsupportedToken();
        return balance;
    }

    /// @dev Transfers tokens from an account to the vault. Reverts with TransferFailed if the transfer fails.
    function _transferIn(address from, uint256 amount) internal {
        _callToken(abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)));
    }

    /// @dev Sends tokens from the vault to an account. Reverts with UnsupportedToken if the token takes more than
    /// `amount` from the vault.
    function _transferOut(address to, uint256 amount) internal {
        uint256 balanceBefore = _requireBalance();
        _callToken(abi.encodeCall(IERC20.transfer, (to, amount)));
        if (_requireBalance() + amount < balanceBefore) revert UnsupportedToken();
    }

    /// @dev Reverts with InvalidDestination if the destination is zero, the vault or the token contract. Tokens that
    /// are sent to one of these addresses would be lost.
    function _requireDestination(address destination) internal view {
        bool isLost = destination == address(0) || destination == address(this) || destination == _setup().token;
        if (isLost) revert InvalidDestination(destination);
    }

    /// @dev Returns the balance that the vault must hold: the sum of available, reserved, owed and fees. The sum fits
    /// into 128 bits.
    function _counted() internal view returns (uint256) {
        VaultTotals memory present = _totals;
        return uint256(present.available) + present.reserved + present.owed + present.fees;
    }

    /// @dev Reverts with VaultInsolvent if the vault's token balance is below the sum of the available, reserved, owed
    /// and fee tokens. The vault calls this function after the owner has withdrawn available tokens and after platform
    /// fees have been paid. Neither payment can therefore use the workers' tokens.
    function _requireCovered() internal view {
        if (_requireBalance() < _counted()) revert VaultInsolvent();
    }

    /// @dev Makes an encoded call to the token. Reverts with TransferFailed if the call fails or returns false.
    function _callToken(bytes memory data) private {
        if (!BoundedCall.tryTokenCall(_setup().token, TRANSFER_GAS, data)) revert TransferFailed();
    }
}
