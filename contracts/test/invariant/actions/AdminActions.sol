// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {TaskView} from "../../../src/types/TaskTypes.sol";
import {HostileHook} from "../HostileHook.sol";
import {EndingActions} from "./EndingActions.sol";

/// @title Actions of the owner, of USDC on accounts, and behaviours of hooks
abstract contract AdminActions is EndingActions {
    /// @dev A closed entrance is opened again soon: most of what is worth seeing happens behind it.
    function togglePause(uint256 seed) external change(seed) {
        _administrate(MARKET.paused() ? abi.encodeCall(MARKET.unpause, ()) : abi.encodeCall(MARKET.pause, ()));
    }

    function setFeeBps(uint256 seed) external change(seed) {
        _administrate(abi.encodeCall(MARKET.setFeeBps, (uint16(_roll(2002)))));
    }

    function setFeeRecipient(uint256 seed) external change(seed) {
        _administrate(abi.encodeCall(MARKET.setFeeRecipient, (actorAt(_anyAccount()))));
    }

    function setRegistries(uint256 seed) external change(seed) {
        uint256 choice = _roll(3);
        (address identity, address reputation) = choice == 0 ? (IDENTITY, REPUTATION) : (address(0), address(0));
        if (choice == 1) (identity, reputation) = (address(REGISTRY), address(REGISTRY));
        _administrate(abi.encodeCall(MARKET.setRegistries, (identity, reputation)));
    }

    /// @dev Sets no default hooks half of the time, else one or two of the first hooks.
    function setDefaultHooks(uint256 seed) external change(seed) {
        address[] memory list = new address[](_oneIn(2) ? 0 : _between(1, 2));
        uint256 first = _roll(2);
        for (uint256 i; i < list.length; i++) {
            list[i] = address(hooks[first + i]);
        }
        _administrate(abi.encodeCall(MARKET.setDefaultHooks, (list)));
    }

    function sweepExcess(uint256 seed) external change(seed) {
        if (donated == 0) return _donate();
        if (_administrate(abi.encodeCall(MARKET.sweepExcess, (actorAt(_anyAccount()))))) donated = 0;
    }

    /// @dev Ownership of both contracts moves to an actor; very rarely it is given up.
    function handOver(uint256 seed) external change(seed) {
        address next = actorAt(_anyAccount());
        if (owner == address(0) || next == owner) return;
        if (_oneIn(12)) {
            _call(owner, address(MARKET), 0, abi.encodeCall(Ownable.renounceOwnership, ()));
            _call(owner, address(FORWARDER), 0, abi.encodeCall(Ownable.renounceOwnership, ()));
            owner = address(0);
            return;
        }
        bytes memory transfer = abi.encodeCall(Ownable.transferOwnership, (next));
        if (!_administrate(transfer)) return;
        _call(owner, address(FORWARDER), 0, transfer);
        _call(next, address(MARKET), 0, abi.encodeCall(Ownable2Step.acceptOwnership, ()));
        _call(next, address(FORWARDER), 0, abi.encodeCall(Ownable2Step.acceptOwnership, ()));
        owner = next;
    }

    // --- The environment ---

    function feelHook(uint256 seed) external change(seed) {
        _feel(hooks[_roll(HOOKS)]);
    }

    function donate(uint256 seed) external change(seed) {
        _donate();
    }

    /// @dev An account that has a part in a live task, mostly.
    function toggleBlacklist(uint256 seed) external change(seed) {
        address account = actorAt(_anyAccount());
        if (_live.length > 0) {
            TaskView memory task = MARKET.getTask(_live[_roll(_live.length)]);
            if (_oneIn(2)) account = task.requester;
            else if (task.worker != address(0)) account = task.worker;
        }
        if (USDC.isBlacklisted(account)) USDC.unBlacklist(account);
        else USDC.blacklist(account);
    }

    function toggleUsdcPause(uint256 seed) external change(seed) {
        if (USDC.paused()) USDC.unpause();
        else if (_oneIn(2)) USDC.pause();
    }

    // --- Steps ---

    /// @dev Calls as the owner; now and then as another account, which is always refused.
    function _administrate(bytes memory data) internal returns (bool) {
        address caller = _oneIn(8) ? actorAt(_anyAccount()) : owner;
        if (caller == address(0)) return false;
        bool acted = _call(caller, address(MARKET), 0, data);
        assertTrue(!acted || caller == owner, "another account administrated");
        return acted;
    }

    /// @dev Funding is refused rarely: what is never created is never seen.
    function _feel(HostileHook hook) internal {
        HostileHook.Mood mood = _oneIn(4) ? HostileHook.Mood.Reenter : HostileHook.Mood(_roll(9));
        uint256 targets = _oneIn(4) ? type(uint256).max : uint256(_fresh());
        if (!_oneIn(8)) targets &= ~hook.bitOf(ITaskHook.checkFund.selector);
        hook.feel(mood, targets);
    }

    function _donate() private {
        uint256 amount = _between(1, 10e6);
        address giver = actorAt(_anyAccount());
        if (_oneIn(4)) {
            if (_call(giver, address(USDC), 0, abi.encodeCall(USDC.transfer, (address(FORWARDER), amount)))) {
                waiting += amount;
            }
        } else if (_call(giver, address(USDC), 0, abi.encodeCall(USDC.transfer, (address(MARKET), amount)))) {
            donated += amount;
            given += amount;
        }
    }
}
