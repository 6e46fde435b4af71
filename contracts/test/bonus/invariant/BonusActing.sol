// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {BonusHook} from "../../../src/BonusHook.sol";
import {TaskMarket} from "../../../src/TaskMarket.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {BonusLedger} from "./BonusLedger.sol";

/// @title Eight accounts, their dice, and the ledger that reads what their steps log
/// @notice A refused call is no error: the laws hold all the same.
abstract contract BonusActing is CommonBase {
    uint256 public constant ACTORS = 8;
    /// @dev Gas of calls to a programme that may burn all of it.
    uint256 internal constant CALL_GAS = 1_000_000;

    TaskMarket internal immutable MARKET;
    BonusHook internal immutable BONUS;
    HostileToken internal immutable TOKEN;
    BonusLedger internal immutable LEDGER;
    address internal immutable OWNER;

    /// @dev Stored: to compute an address from its key takes longer than most calls.
    address[ACTORS] private _actors;
    bytes32 private _dice;

    constructor(TaskMarket market, BonusHook bonus, HostileToken token, BonusLedger ledger, address owner) {
        (MARKET, BONUS, TOKEN, LEDGER, OWNER) = (market, bonus, token, ledger, owner);
        for (uint256 i; i < ACTORS; i++) {
            _actors[i] = vm.addr(0xB0705000 + i);
        }
    }

    modifier step(uint256 seed) {
        _dice = keccak256(abi.encode(_dice, seed));
        vm.recordLogs();
        _;
        LEDGER.read(vm.getRecordedLogs(), address(MARKET), address(BONUS));
    }

    function actorAt(uint256 index) public view returns (address) {
        return _actors[index % ACTORS];
    }

    function _own(bytes memory data) internal {
        _own(data, address(BONUS));
    }

    function _own(bytes memory data, address target) internal {
        vm.prank(OWNER);
        (bool ok,) = target.call{gas: CALL_GAS}(data);
        ok;
    }

    function _do(address actor, bytes memory data) internal returns (bool ok) {
        vm.prank(actor);
        (ok,) = address(MARKET).call(data);
    }

    function _anybody() internal returns (address) {
        return actorAt(_roll(ACTORS));
    }

    function _roll(uint256 sides) internal returns (uint256) {
        _dice = keccak256(abi.encode(_dice));
        return uint256(_dice) % sides;
    }

    function _between(uint256 least, uint256 most) internal returns (uint256) {
        return least + _roll(most - least + 1);
    }

    function _oneIn(uint256 sides) internal returns (bool) {
        return _roll(sides) == 0;
    }
}
