// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignedMessage} from "../forwarder/SignedMessage.sol";
import {BonusAccount, IBonusHook} from "../interfaces/IBonusHook.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";
import {BonusAdmin} from "./BonusAdmin.sol";

/// @title Tokens of the bonus hook: reserve and withdrawals
/// @notice The claimable tokens never exceed the token balance. During a token transfer no other transfer starts, and
/// no bonus is credited. A token contract could otherwise make this contract count the same tokens twice.
abstract contract BonusReserve is BonusAdmin {
    /// @dev The latest expiry that a withdrawal's signature may have, in seconds from now. Clients sign for half of
    /// this time, because clocks differ.
    uint256 private constant MAX_VALIDITY = 600;
    /// @dev Gas of a call to a view function of the reward token.
    uint256 private constant VIEW_GAS = 100_000;

    /// @dev The reward token.
    IERC20 private immutable TOKEN;
    /// @dev Service name, the first word of every signed message.
    ShortString private immutable SERVICE_NAME;

    /// @dev True while a function with the modifier `locked` runs.
    bool internal transient _entered;

    /// @param rewardToken The reward token.
    /// @param serviceName Service name, the first word of every signed message.
    constructor(IERC20 rewardToken, string memory serviceName) {
        if (address(rewardToken) == address(0)) revert ZeroAddress();
        TOKEN = rewardToken;
        SERVICE_NAME = ShortStrings.toShortString(serviceName);
    }

    /// @dev Reverts with Reentered if a function with this modifier is already running.
    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    /// @inheritdoc IBonusHook
    function withdraw(address destination) external locked returns (uint256) {
        return _withdraw(msg.sender, destination, 0);
    }

    /// @inheritdoc IBonusHook
    function withdrawFor(
        address account,
        address destination,
        bytes32 nonce,
        uint256 validBefore,
        bytes calldata signature
    ) external locked returns (uint256) {
        // Check:
        if (block.timestamp >= validBefore) revert SignatureExpired(validBefore);
        uint256 maximum = block.timestamp + MAX_VALIDITY;
        if (validBefore > maximum) revert ValidTooLong(validBefore, maximum);
        if (_isNonceUsed(account, nonce)) revert NonceUsed(account, nonce);
        bytes32 digest = _digestOf(destination, nonce, validBefore);
        if (!SignedMessage.isSignedBy(account, digest, signature)) revert InvalidSignature(account);

        // Effect:
        _bonus.nonces[account][nonce] = true;

        // Effect, interaction, log:
        return _withdraw(account, destination, nonce);
    }

    /// @inheritdoc IBonusHook
    function fundReserve(uint256 amount) external locked returns (uint256 received) {
        // Interaction:
        uint256 balanceBefore = _balance();
        SafeERC20.safeTransferFrom(TOKEN, msg.sender, address(this), amount);
        received = _balance() - balanceBefore;

        // Log:
        emit ReserveFunded(msg.sender, received);
    }

    /// @inheritdoc IBonusHook
    function takeReserve(address to, uint256 amount) external onlyOwner locked {
        // Check:
        _requireDestination(to);
        uint256 free = available();
        if (amount > free) revert AboveAvailable(amount, free);

        // Interaction:
        _send(to, amount);

        // Log:
        emit ReserveTaken(to, amount);
    }

    /// @inheritdoc IBonusHook
    function token() external view returns (address) {
        return address(TOKEN);
    }

    /// @inheritdoc IBonusHook
    function accountOf(address account) external view returns (BonusAccount memory) {
        return _bonus.accounts[account];
    }

    /// @inheritdoc IBonusHook
    function claimableOf(address account) external view returns (uint256) {
        return _bonus.accounts[account].claimable;
    }

    /// @inheritdoc IBonusHook
    function totalClaimable() external view returns (uint256) {
        return _bonus.totalClaimable;
    }

    /// @inheritdoc IBonusHook
    function isNonceUsed(address account, bytes32 nonce) external view returns (bool) {
        return _isNonceUsed(account, nonce);
    }

    /// @inheritdoc IBonusHook
    function available() public view returns (uint256) {
        (uint256 balance, uint256 owed) = (_balance(), _bonus.totalClaimable);
        return balance > owed ? balance - owed : 0;
    }

    /// @dev Sends all claimable tokens of the account to `destination`. Reverts with NothingToWithdraw if the account
    /// has no claimable tokens.
    function _withdraw(address account, address destination, bytes32 nonce) private returns (uint256 amount) {
        // Check:
        _requireDestination(destination);
        BonusAccount storage entry = _bonus.accounts[account];
        amount = entry.claimable;
        if (amount == 0) revert NothingToWithdraw(account);

        // Effect:
        entry.claimable = 0;
        _bonus.totalClaimable -= amount;

        // Interaction:
        _send(destination, amount);

        // Log:
        emit BonusWithdrawn(account, destination, amount, nonce);
    }

    /// @dev Sends tokens to an account. Reverts with UnsupportedToken if the token takes more than `amount` from this
    /// contract.
    function _send(address to, uint256 amount) private {
        uint256 balanceBefore = _balance();
        SafeERC20.safeTransfer(TOKEN, to, amount);
        if (_balance() + amount < balanceBefore) revert UnsupportedToken();
    }

    /// @dev Returns this contract's balance of the reward token. Reverts with UnsupportedToken if the balance cannot be
    /// read.
    function _balance() private view returns (uint256) {
        (bool ok, uint256 balance) =
            BoundedCall.readWord(address(TOKEN), VIEW_GAS, abi.encodeCall(IERC20.balanceOf, (address(this))));
        if (!ok) revert UnsupportedToken();
        return balance;
    }

    /// @dev Returns whether the nonce is used. True for zero, because zero marks direct withdrawals in
    /// `BonusWithdrawn`.
    function _isNonceUsed(address account, bytes32 nonce) private view returns (bool) {
        return nonce == 0 || _bonus.nonces[account][nonce];
    }

    /// @dev Returns the reward token's decimals. Reverts with UnsupportedToken if the token does not return a number
    /// below 256.
    function _tokenDecimals() internal view returns (uint8) {
        (bool ok, uint256 decimals) =
            BoundedCall.readWord(address(TOKEN), VIEW_GAS, abi.encodeCall(IERC20Metadata.decimals, ()));
        if (!ok || decimals > type(uint8).max) revert UnsupportedToken();
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint8(decimals);
    }

    /// @dev Reverts with InvalidDestination if the destination is zero, this contract or the token. No account could
    /// use tokens there.
    function _requireDestination(address destination) private view {
        bool isLost = destination == address(0) || destination == address(this) || destination == address(TOKEN);
        if (isLost) revert InvalidDestination(destination);
    }

    /// @dev Returns the hash of the message that an account signs for a withdrawal (EIP-191).
    function _digestOf(address destination, bytes32 nonce, uint256 validBefore) private view returns (bytes32) {
        return MessageHashUtils.toEthSignedMessageHash(
            abi.encodePacked(
                ShortStrings.toString(SERVICE_NAME),
                ":withdraw-token:",
                Strings.toHexString(destination),
                ":",
                Strings.toHexString(uint256(nonce), 32),
                ":",
                Strings.toString(validBefore)
            )
        );
    }
}
