// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FiatTokenRoles} from "./FiatTokenRoles.sol";
import {FiatTokenSignatures} from "./FiatTokenSignatures.sol";

/// @title Token for local chains that behaves like USDC
/// @notice Behaves like Circle's FiatToken v2.2 in everything that the market and its clients use: messages, events,
/// overloads and order of checks. Derived contracts define the name. `initialize` sets the roles, because the local
/// chain never runs a constructor.
abstract contract LocalFiatToken is FiatTokenRoles, FiatTokenSignatures {
    // The token's own names.
    /// @notice Returns "USDC".
    // forge-lint: disable-start(screaming-snake-case-const)
    string public constant symbol = "USDC";
    /// @notice Returns "USD".
    string public constant currency = "USD";
    /// @notice Returns the version of the EIP-712 domain.
    string public constant version = "2";
    /// @notice Returns 6: one USDC has 1000000 base units.
    uint8 public constant decimals = 6;
    // forge-lint: disable-end(screaming-snake-case-const)

    /// @notice Returns the total supply in base units.
    uint256 public totalSupply;
    /// @notice Returns the amount that a spender may transfer from an owner, in base units.
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    /// @notice Returns the nonce of an account's next permit.
    mapping(address owner => uint256) public nonces;
    /// @notice Returns whether an ERC-3009 nonce was used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    /// @notice Tokens were transferred. `from` is zero for minted tokens. `to` is zero for burnt tokens.
    event Transfer(address indexed from, address indexed to, uint256 value);
    /// @notice An allowance was set.
    event Approval(address indexed owner, address indexed spender, uint256 value);
    /// @notice Tokens were minted.
    event Mint(address indexed minter, address indexed to, uint256 amount);
    /// @notice Tokens were burnt.
    event Burn(address indexed burner, uint256 amount);
    /// @notice An ERC-3009 authorization was used for a transfer.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An ERC-3009 authorization was cancelled.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice Returns the balance of an account in base units.
    function balanceOf(address account) external view returns (uint256) {
        return _balance(account);
    }

    // --- ERC-20 ---

    /// @notice Sends tokens from the caller to `to`.
    function transfer(address to, uint256 value)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        _move(msg.sender, to, value);
        return true;
    }

    /// @notice Sends tokens of another account, within the caller's allowance. Each transfer reduces the allowance,
    /// even if the allowance is the maximum value of uint256.
    function transferFrom(address from, address to, uint256 value)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(from)
        notBlacklisted(to)
        returns (bool)
    {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "ERC20: transfer amount exceeds allowance");
        _move(from, to, value);
        allowance[from][msg.sender] = allowed - value;
        return true;
    }

    /// @notice Sets the amount that a spender may transfer from the caller, in base units.
    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    /// @notice Raises the amount that a spender may transfer from the caller.
    function increaseAllowance(address spender, uint256 increment) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, _add(allowance[msg.sender][spender], increment));
        return true;
    }

    /// @notice Lowers the amount that a spender may transfer from the caller.
    function decreaseAllowance(address spender, uint256 decrement) external whenNotPaused returns (bool) {
        uint256 allowed = allowance[msg.sender][spender];
        require(decrement <= allowed, "ERC20: decreased allowance below zero");
        _approve(msg.sender, spender, allowed - decrement);
        return true;
    }

    // --- Supply ---

    /// @notice Mints tokens to `to`, within the caller's remaining minting allowance. Only minters may call.
    function mint(address to, uint256 amount)
        external
        whenNotPaused
        onlyMinters
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        require(to != address(0), "FiatToken: mint to the zero address");
        require(amount > 0, "FiatToken: mint amount not greater than 0");
        uint256 allowed = _minterAllowed[msg.sender];
        require(amount <= allowed, "FiatToken: mint amount exceeds minterAllowance");
        _minterAllowed[msg.sender] = allowed - amount;
        totalSupply = _add(totalSupply, amount);
        _setBalance(to, _balance(to) + amount);
        emit Mint(msg.sender, to, amount);
        emit Transfer(address(0), to, amount);
        return true;
    }

    /// @notice Burns tokens of the caller. Only minters may call.
    function burn(uint256 amount) external whenNotPaused onlyMinters notBlacklisted(msg.sender) {
        uint256 balance = _balance(msg.sender);
        require(amount > 0, "FiatToken: burn amount not greater than 0");
        require(balance >= amount, "FiatToken: burn amount exceeds balance");
        totalSupply -= amount;
        _setBalance(msg.sender, balance - amount);
        emit Burn(msg.sender, amount);
        emit Transfer(msg.sender, address(0), amount);
    }

    // --- EIP-2612 ---

    /// @notice Sets an allowance with the owner's signature (EIP-2612).
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice Sets an allowance with the owner's signature. The signature may have any length.
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature)
        public
        whenNotPaused
    {
        require(deadline == type(uint256).max || deadline >= block.timestamp, "FiatTokenV2: permit is expired");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        _requireSignature(owner, structHash, signature, "EIP2612: invalid signature");
        _approve(owner, spender, value);
    }

    // --- EIP-3009 ---

    /// @notice Transfers tokens of `from` with the signature of `from` (ERC-3009). Any account may call.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Transfers tokens of `from` with the signature of `from`. The signature may have any length. Any account
    /// may call.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        bytes32 typehash = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 structHash = keccak256(abi.encode(typehash, from, to, value, validAfter, validBefore, nonce));
        _useAuthorization(from, validAfter, validBefore, nonce, structHash, signature);
        _move(from, to, value);
    }

    /// @notice Transfers tokens of `from` with the signature of `from` (ERC-3009). Only the receiver `to` may call.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Transfers tokens of `from` with the signature of `from`. The signature may have any length. Only the
    /// receiver `to` may call.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        bytes32 typehash = RECEIVE_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 structHash = keccak256(abi.encode(typehash, from, to, value, validAfter, validBefore, nonce));
        _useAuthorization(from, validAfter, validBefore, nonce, structHash, signature);
        _move(from, to, value);
    }

    /// @notice Cancels an authorization with the authorizer's signature (ERC-3009).
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Cancels an authorization. The authorizer's signature may have any length.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public whenNotPaused {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        _requireSignature(authorizer, structHash, signature, "FiatTokenV2: invalid signature");
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @dev Checks an authorization and records that its nonce is used. Reverts with the messages of the deployed
    /// token.
    function _useAuthorization(
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes32 structHash,
        bytes memory signature
    ) private {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
        _requireSignature(from, structHash, signature, "FiatTokenV2: invalid signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    /// @dev Stores and logs an allowance.
    function _approve(address owner, address spender, uint256 value) private {
        require(owner != address(0), "ERC20: approve from the zero address");
        require(spender != address(0), "ERC20: approve to the zero address");
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    /// @dev Transfers tokens. The caller has already checked that neither account is blacklisted.
    function _move(address from, address to, uint256 value) private {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        uint256 balance = _balance(from);
        require(value <= balance, "ERC20: transfer amount exceeds balance");
        _setBalance(from, balance - value);
        _setBalance(to, _balance(to) + value);
        emit Transfer(from, to, value);
    }

    /// @dev Returns the sum of two amounts. Reverts at an overflow, with the message of the deployed token.
    function _add(uint256 a, uint256 b) private pure returns (uint256 sum) {
        unchecked {
            sum = a + b;
        }
        require(sum >= a, "SafeMath: addition overflow");
    }
}
