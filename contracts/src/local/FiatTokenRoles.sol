// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Roles, pause and blacklist of USDC
/// @notice Part of the token that replaces USDC on local chains. The top bit of an account's balance word is the
/// account's blacklist flag, as in the deployed token.
abstract contract FiatTokenRoles {
    /// @dev Bit of a balance word that is set if the account is blacklisted.
    uint256 private constant BLACKLIST_BIT = 1 << 255;

    /// @notice Returns the account that may pause transfers.
    address public pauser;
    /// @notice Returns whether transfers are paused.
    bool public paused;
    /// @notice Returns the owner of the token contract.
    address public owner;
    /// @notice Returns the account that configures minters.
    address public masterMinter;
    /// @notice Returns the account that may blacklist other accounts.
    address public blacklister;

    /// @dev Balances in base units, with the blacklist flag in the top bit.
    mapping(address account => uint256 balanceAndFlag) private _balanceAndFlag;
    /// @dev Accounts that may mint.
    mapping(address minter => bool) internal _minters;
    /// @dev Base units that a minter may still mint.
    mapping(address minter => uint256) internal _minterAllowed;

    /// @notice Transfers were paused.
    event Pause();
    /// @notice Transfers were resumed.
    event Unpause();
    /// @notice An account was blacklisted.
    event Blacklisted(address indexed _account);
    /// @notice An account was removed from the blacklist.
    event UnBlacklisted(address indexed _account);
    /// @notice A minter was allowed to mint an amount, in base units.
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    /// @notice A minter was removed.
    event MinterRemoved(address indexed oldMinter);

    /// @dev Reverts while transfers are paused.
    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    /// @dev Reverts if the account is blacklisted.
    modifier notBlacklisted(address account) {
        require(!isBlacklisted(account), "Blacklistable: account is blacklisted");
        _;
    }

    /// @dev Reverts if the caller is not a minter.
    modifier onlyMinters() {
        require(_minters[msg.sender], "FiatToken: caller is not a minter");
        _;
    }

    /// @notice Gives every role to one account, once. Blacklists the token's own address, because tokens sent there
    /// would be lost.
    function initialize(address admin) external {
        require(owner == address(0), "FiatToken: contract is already initialized");
        require(admin != address(0), "FiatToken: new owner is the zero address");
        (owner, masterMinter, pauser, blacklister) = (admin, admin, admin, admin);
        _balanceAndFlag[address(this)] |= BLACKLIST_BIT;
    }

    /// @notice Pauses transfers. Only the pauser may call.
    function pause() external {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = true;
        emit Pause();
    }

    /// @notice Resumes transfers. Only the pauser may call.
    function unpause() external {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = false;
        emit Unpause();
    }

    /// @notice Blacklists an account, which can then neither send nor receive tokens. Only the blacklister may call.
    function blacklist(address account) external {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _balanceAndFlag[account] |= BLACKLIST_BIT;
        emit Blacklisted(account);
    }

    /// @notice Removes an account from the blacklist. Only the blacklister may call.
    function unBlacklist(address account) external {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _balanceAndFlag[account] &= ~BLACKLIST_BIT;
        emit UnBlacklisted(account);
    }

    /// @notice Allows a minter to mint an amount, in base units. Only the master minter may call.
    function configureMinter(address minter, uint256 allowedAmount) external whenNotPaused returns (bool) {
        require(msg.sender == masterMinter, "FiatToken: caller is not the masterMinter");
        _minters[minter] = true;
        _minterAllowed[minter] = allowedAmount;
        emit MinterConfigured(minter, allowedAmount);
        return true;
    }

    /// @notice Removes a minter. Only the master minter may call.
    function removeMinter(address minter) external returns (bool) {
        require(msg.sender == masterMinter, "FiatToken: caller is not the masterMinter");
        _minters[minter] = false;
        _minterAllowed[minter] = 0;
        emit MinterRemoved(minter);
        return true;
    }

    /// @notice Returns whether an account is blacklisted.
    function isBlacklisted(address account) public view returns (bool) {
        return _balanceAndFlag[account] & BLACKLIST_BIT != 0;
    }

    /// @notice Returns whether an account may mint.
    function isMinter(address account) external view returns (bool) {
        return _minters[account];
    }

    /// @notice Returns the base units that a minter may still mint.
    function minterAllowance(address minter) external view returns (uint256) {
        return _minterAllowed[minter];
    }

    /// @dev Returns the balance of an account in base units, without the blacklist flag.
    function _balance(address account) internal view returns (uint256) {
        return _balanceAndFlag[account] & ~BLACKLIST_BIT;
    }

    /// @dev Stores a balance and clears the blacklist flag. Every caller has already checked that the account is not
    /// blacklisted.
    function _setBalance(address account, uint256 balance) internal {
        require(balance < BLACKLIST_BIT, "FiatTokenV2_2: Balance exceeds (2^255 - 1)");
        _balanceAndFlag[account] = balance;
    }
}
