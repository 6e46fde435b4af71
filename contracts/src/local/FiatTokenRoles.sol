// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Roles, pause and blacklist of USDC
/// @notice An account's blacklist flag is the top bit of its balance word, as in the deployed token.
abstract contract FiatTokenRoles {
    uint256 private constant BLACKLIST_BIT = 1 << 255;

    address public pauser;
    bool public paused;
    address public owner;
    address public masterMinter;
    address public blacklister;

    mapping(address account => uint256 balanceAndFlag) private _balanceAndFlag;
    mapping(address minter => bool) internal _minters;
    mapping(address minter => uint256) internal _minterAllowed;

    event Pause();
    event Unpause();
    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    event MinterRemoved(address indexed oldMinter);

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    modifier notBlacklisted(address account) {
        require(!isBlacklisted(account), "Blacklistable: account is blacklisted");
        _;
    }

    modifier onlyMinters() {
        require(_minters[msg.sender], "FiatToken: caller is not a minter");
        _;
    }

    /// @notice Gives every role to one account; once. The token itself is blacklisted, so nothing can be sent to it.
    function initialize(address admin) external {
        require(owner == address(0), "FiatToken: contract is already initialized");
        require(admin != address(0), "FiatToken: new owner is the zero address");
        (owner, masterMinter, pauser, blacklister) = (admin, admin, admin, admin);
        _balanceAndFlag[address(this)] |= BLACKLIST_BIT;
    }

    function pause() external {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = true;
        emit Pause();
    }

    function unpause() external {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        paused = false;
        emit Unpause();
    }

    function blacklist(address account) external {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _balanceAndFlag[account] |= BLACKLIST_BIT;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _balanceAndFlag[account] &= ~BLACKLIST_BIT;
        emit UnBlacklisted(account);
    }

    function configureMinter(address minter, uint256 allowedAmount) external whenNotPaused returns (bool) {
        require(msg.sender == masterMinter, "FiatToken: caller is not the masterMinter");
        _minters[minter] = true;
        _minterAllowed[minter] = allowedAmount;
        emit MinterConfigured(minter, allowedAmount);
        return true;
    }

    function removeMinter(address minter) external returns (bool) {
        require(msg.sender == masterMinter, "FiatToken: caller is not the masterMinter");
        _minters[minter] = false;
        _minterAllowed[minter] = 0;
        emit MinterRemoved(minter);
        return true;
    }

    function isBlacklisted(address account) public view returns (bool) {
        return _balanceAndFlag[account] & BLACKLIST_BIT != 0;
    }

    function isMinter(address account) external view returns (bool) {
        return _minters[account];
    }

    function minterAllowance(address minter) external view returns (uint256) {
        return _minterAllowed[minter];
    }

    function _balance(address account) internal view returns (uint256) {
        return _balanceAndFlag[account] & ~BLACKLIST_BIT;
    }

    /// @dev Only for accounts that are not blacklisted, which every caller has checked: the flag is written as zero.
    function _setBalance(address account, uint256 balance) internal {
        require(balance < BLACKLIST_BIT, "FiatTokenV2_2: Balance exceeds (2^255 - 1)");
        _balanceAndFlag[account] = balance;
    }
}
