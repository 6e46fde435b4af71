// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ISponsoredVault, VaultCharge, VaultManager, VaultTotals} from "../interfaces/ISponsoredVault.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";

/// @title State of a vault, and its token
/// @notice While tokens move nothing else of the vault can be called: a token that calls back would be counted twice.
abstract contract VaultBase is ISponsoredVault, EIP712 {
    /// @dev What a vault is created with: bytes behind the code of the clone.
    struct Setup {
        bytes32 vaultId;
        address owner;
        address token;
    }

    /// @dev Of the vault as a whole, in one slot.
    struct Life {
        uint64 epoch;
        uint64 exitAt;
        bool isExited;
    }

    /// @dev For `balanceOf` of the token.
    uint256 private constant BALANCE_GAS = 60_000;
    uint256 private constant TRANSFER_GAS = 150_000;

    address internal immutable HOOK;
    ITaskMarket internal immutable MARKET;

    Life internal _life;
    VaultTotals internal _totals;
    mapping(address account => VaultManager) internal _managers;
    mapping(address account => bool) internal _chargers;
    mapping(bytes32 taskId => VaultCharge) internal _charges;

    bool private transient _entered;

    /// @dev Of the code that all vaults share.
    constructor(address hook_, address market) EIP712("SponsoredTasksVault", "1") {
        (HOOK, MARKET) = (hook_, ITaskMarket(market));
    }

    modifier onlyOwner() {
        if (msg.sender != _setup().owner) revert NotTheOwner(msg.sender);
        _;
    }

    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    function _setup() internal view returns (Setup memory) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (Setup));
    }

    function _balance() internal view returns (bool ok, uint256 balance) {
        return BoundedCall.readWord(_setup().token, BALANCE_GAS, abi.encodeCall(IERC20.balanceOf, (address(this))));
    }

    /// @dev Reverts with UnsupportedToken.
    function _requireBalance() internal view returns (uint256) {
        (bool ok, uint256 balance) = _balance();
        if (!ok) revert UnsupportedToken();
        return balance;
    }

    function _transferIn(address from, uint256 amount) internal {
        _callToken(abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)));
    }

    /// @dev A token that takes more than it is told to send would take it from the claims of others.
    function _transferOut(address to, uint256 amount) internal {
        uint256 balanceBefore = _requireBalance();
        _callToken(abi.encodeCall(IERC20.transfer, (to, amount)));
        if (_requireBalance() + amount < balanceBefore) revert UnsupportedToken();
    }

    /// @dev Here, or in the token itself, they would belong to no account.
    function _requireDestination(address destination) internal view {
        bool isLost = destination == address(0) || destination == address(this) || destination == _setup().token;
        if (isLost) revert InvalidDestination(destination);
    }

    /// @dev All that the vault counts. Its parts fit into 128 bits together.
    function _counted() internal view returns (uint256) {
        VaultTotals memory present = _totals;
        return uint256(present.available) + present.reserved + present.owed + present.fees;
    }

    /// @dev What leaves for the owner or the platform leaves the rest covered: where tokens are missing, workers come first.
    function _requireCovered() internal view {
        if (_requireBalance() < _counted()) revert VaultInsolvent();
    }

    function _callToken(bytes memory data) private {
        if (!BoundedCall.tryTokenCall(_setup().token, TRANSFER_GAS, data)) revert TransferFailed();
    }
}
