// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token that a test makes misbehave
contract HostileToken is ERC20 {
    enum Behaviour {
        None,
        /// @dev Receivers get a tenth less.
        Fee,
        /// @dev Senders lose a tenth more.
        SenderFee,
        RevertTransfers,
        /// @dev `transfer` answers false.
        RefuseTransfers,
        RevertBalances,
        /// @dev Burns all gas of `balanceOf`.
        BurnBalances,
        /// @dev Calls `target` with `callback` in each transfer, then goes on whatever came of it.
        CallBack,
        /// @dev Transfers from and to listed accounts revert.
        Blacklist,
        /// @dev Transfers return nothing.
        Silent
    }

    Behaviour public behaviour;
    address public target;
    bytes public callback;
    bool public callbackSucceeded;
    /// @dev Selector of the error of the last callback that reverted; one word of storage, as transfers have little
    /// gas.
    bytes4 public callbackError;
    mapping(address account => bool) public isListed;
    uint8 private _decimals = 18;

    constructor() ERC20("Hostile", "HOSTILE") {}

    function script(Behaviour next) external {
        behaviour = next;
    }

    function scriptCallback(address account, bytes calldata data) external {
        (behaviour, target, callback) = (Behaviour.CallBack, account, data);
        delete callbackError;
    }

    function scriptBlacklist(address account, bool listed) external {
        (behaviour, isListed[account]) = (Behaviour.Blacklist, listed);
    }

    function setDecimals(uint8 count) external {
        _decimals = count;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (behaviour == Behaviour.RefuseTransfers) return false;
        super.transfer(to, amount);
        return _answer();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        return _answer();
    }

    /// @dev Returns the true balance, for behaviours that do not falsify it.
    function heldBy(address account) external view returns (uint256) {
        return super.balanceOf(account);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function balanceOf(address account) public view override returns (uint256) {
        if (behaviour == Behaviour.RevertBalances) revert("balances");
        if (behaviour == Behaviour.BurnBalances) {
            assembly {
                invalid()
            }
        }
        return super.balanceOf(account);
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (from == address(0) || to == address(0)) return super._update(from, to, amount);
        if (behaviour == Behaviour.RevertTransfers) revert("transfers");
        if (behaviour == Behaviour.Blacklist && (isListed[from] || isListed[to])) revert("listed");
        if (behaviour == Behaviour.CallBack) _callBack();
        super._update(from, to, amount);
        if (behaviour == Behaviour.Fee) super._update(to, address(0), amount / 10);
        if (behaviour == Behaviour.SenderFee) super._update(from, address(0), amount / 10);
    }

    function _callBack() private {
        bytes memory answer;
        (callbackSucceeded, answer) = target.call(callback);
        if (!callbackSucceeded) callbackError = bytes4(answer);
    }

    function _answer() private view returns (bool) {
        if (behaviour != Behaviour.Silent) return true;
        assembly {
            return(0, 0)
        }
    }
}
