// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FiatTokenRoles} from "./FiatTokenRoles.sol";
import {FiatTokenSignatures} from "./FiatTokenSignatures.sol";

/// @title A token like USDC on a local chain, apart from its name
/// @notice Behaves like Circle's FiatToken v2.2: same messages, events, overloads and order of checks for everything
/// that the market and its clients use. Its code is placed at the token's address, so it has no constructor;
/// `initialize` gives the roles.
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

    /// @notice Returns the base units of all accounts.
    uint256 public totalSupply;
    /// @notice Returns the base units that a spender may transfer.
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    /// @notice Returns the nonce of an account's next permit.
    mapping(address owner => uint256) public nonces;
    /// @notice Returns whether an ERC-3009 nonce was used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    /// @notice Tokens moved; from zero they were minted, to zero burnt.
    event Transfer(address indexed from, address indexed to, uint256 value);
    /// @notice An allowance was set.
    event Approval(address indexed owner, address indexed spender, uint256 value);
    /// @notice Tokens were minted.
    event Mint(address indexed minter, address indexed to, uint256 amount);
    /// @notice Tokens were burnt.
    event Burn(address indexed burner, uint256 amount);
    /// @notice An ERC-3009 authorization moved its tokens.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An ERC-3009 authorization was cancelled.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice Returns the base units of an account.
    function balanceOf(address account) external view returns (uint256) {
        return _balance(account);
    }

    // --- ERC-20 ---

    /// @notice Sends tokens of the caller.
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

    /// @notice Sends tokens of another account within its allowance, which always falls, an unlimited one too.
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

    /// @notice Sets an allowance of the caller.
    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    /// @notice Raises an allowance of the caller.
    function increaseAllowance(address spender, uint256 increment) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, _add(allowance[msg.sender][spender], increment));
        return true;
    }

    /// @notice Lowers an allowance of the caller.
    function decreaseAllowance(address spender, uint256 decrement) external whenNotPaused returns (bool) {
        uint256 allowed = allowance[msg.sender][spender];
        require(decrement <= allowed, "ERC20: decreased allowance below zero");
        _approve(msg.sender, spender, allowed - decrement);
        return true;
    }

    // --- Supply ---

    /// @notice Mints tokens within the minter's allowance.
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

    /// @notice Burns tokens of a minter.
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

    /// @notice Sets an allowance by a signature (EIP-2612).
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice Sets an allowance by a signature of any length.
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

    /// @notice Transfers by a signature that any account may submit (ERC-3009).
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

    /// @notice Transfers by a signature of any length.
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

    /// @notice Transfers by a signature that the receiver alone may submit (ERC-3009).
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

    /// @notice Transfers by a signature of any length that the receiver alone may submit.
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

    /// @notice Cancels an authorization by a signature (ERC-3009).
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Cancels an authorization by a signature of any length.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public whenNotPaused {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        _requireSignature(authorizer, structHash, signature, "FiatTokenV2: invalid signature");
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @dev Uses an authorization up, with the messages of the deployed token.
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

    /// @dev Moves tokens between accounts that are not blacklisted.
    function _move(address from, address to, uint256 value) private {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        uint256 balance = _balance(from);
        require(value <= balance, "ERC20: transfer amount exceeds balance");
        _setBalance(from, balance - value);
        _setBalance(to, _balance(to) + value);
        emit Transfer(from, to, value);
    }

    /// @dev Returns a sum, with the message of the deployed token at an overflow.
    function _add(uint256 a, uint256 b) private pure returns (uint256 sum) {
        unchecked {
            sum = a + b;
        }
        require(sum >= a, "SafeMath: addition overflow");
    }
}
