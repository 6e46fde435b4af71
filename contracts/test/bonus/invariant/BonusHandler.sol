// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {BonusHook} from "../../../src/BonusHook.sol";
import {TaskMarket} from "../../../src/TaskMarket.sol";
import {BonusBounds, BonusCaps, BonusRamp} from "../../../src/interfaces/IBonusHook.sol";
import {Status, TaskView} from "../../../src/types/TaskTypes.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {BonusActing} from "./BonusActing.sol";
import {BonusLedger} from "./BonusLedger.sol";
import {BonusTasks} from "./BonusTasks.sol";

/// @title Accounts that trade with each other, and an owner who turns every setting
contract BonusHandler is BonusTasks {
    uint256 public minted;

    constructor(TaskMarket market, BonusHook bonus, HostileToken token, BonusLedger ledger, address owner)
        BonusActing(market, bonus, token, ledger, owner)
    {}

    // --- The programme ---

    function setRate(uint256 seed) external step(seed) {
        uint128[6] memory rates = [uint128(0), 1, 1e6, 3e18, 10e18, 1e32];
        _own(abi.encodeCall(BONUS.setRate, (rates[_roll(6)])));
    }

    function setParts(uint256 seed) external step(seed) {
        _own(abi.encodeCall(BONUS.setBonusBps, (uint16(_oneIn(2) ? 750 : _roll(10_001)))));
        _own(abi.encodeCall(BONUS.setWorkerSplit, (uint16(_oneIn(2) ? 8000 : _roll(10_001)))));
        _own(abi.encodeCall(MARKET.setFeeBps, (uint16(_oneIn(2) ? 750 : _roll(2001)))), address(MARKET));
    }

    /// @dev The bound on the fee stays what it is: a programme that pays more than its fees pays for nothing.
    function setBounds(uint256 seed) external step(seed) {
        uint32 drift = uint32(_oneIn(2) ? 20_000 : _roll(100_000));
        uint32 perFee = _oneIn(3) ? 0 : uint32(_between(1, 10_000));
        _own(abi.encodeCall(BONUS.setBounds, (BonusBounds(perFee, drift))));
    }

    function setCaps(uint256 seed) external step(seed) {
        uint48 most = type(uint48).max;
        BonusCaps memory caps = BonusCaps(most, most, most, most, type(uint128).max);
        if (_oneIn(3)) caps.globalUsd = _cap(50e6);
        if (_oneIn(3)) caps.workerUsd = _cap(20e6);
        if (_oneIn(3)) caps.requesterUsd = _cap(5e6);
        if (_oneIn(3)) caps.taskUsd = _cap(10e6);
        if (_oneIn(3)) caps.globalTokens = _oneIn(3) ? 0 : uint128(_roll(1000e18));
        _own(abi.encodeCall(BONUS.setCaps, (caps)));
    }

    function setRamp(uint256 seed) external step(seed) {
        BonusRamp memory ramp;
        ramp.afterSeconds = [uint32(2 weeks), 4 weeks, 8 weeks];
        ramp.multiplierBps = [uint16(0), 2500, 5000, 10_000];
        if (_oneIn(2)) ramp.multiplierBps = [uint16(10_000), 10_000, 10_000, 10_000];
        _own(abi.encodeCall(BONUS.setRamp, (ramp)));
    }

    function changeReserve(uint256 seed) external step(seed) {
        if (_oneIn(2)) {
            uint256 amount = _roll(1000e18);
            TOKEN.mint(address(BONUS), amount);
            minted += amount;
        } else if (TOKEN.behaviour() == HostileToken.Behaviour.None) {
            // Rolled first: the dice fall alike whatever the programme answers.
            (uint256 amount, bool isAll) = (_roll(1000e18), _oneIn(2));
            _takeReserve(amount, isAll);
        }
    }

    /// @dev By plain calls: a programme that is broken, or gone, answers nothing that could be decoded.
    function _takeReserve(uint256 amount, bool isAll) private {
        (bool ok, bytes memory answer) = address(BONUS).staticcall{gas: CALL_GAS}(abi.encodeCall(BONUS.available, ()));
        if (!ok || answer.length != 32) return;
        _own(abi.encodeCall(BONUS.takeReserve, (OWNER, isAll ? abi.decode(answer, (uint256)) : amount)));
    }

    function withdraw(uint256 seed) external step(seed) {
        address account = _anybody();
        vm.prank(account);
        (bool ok,) = address(BONUS).call{gas: CALL_GAS}(abi.encodeCall(BONUS.withdraw, (account)));
        ok;
    }

    function changeToken(uint256 seed) external step(seed) {
        HostileToken.Behaviour next = HostileToken.Behaviour(_roll(7));
        // A token that takes more than it is told to is refused; one with a fee pays out less.
        TOKEN.script(_oneIn(2) ? HostileToken.Behaviour.None : next);
    }

    function passTime(uint256 seed) external step(seed) {
        vm.warp(block.timestamp + (_oneIn(4) ? 7 days : _roll(2 days)));
    }

    /// @dev Returns the hash of the market's views of every task and account, without the tasks' hooks.
    function hashOfMarket() external view returns (bytes32 hash) {
        hash = keccak256(abi.encode(MARKET.totalEscrow(), _all.length));
        for (uint256 i; i < _all.length; i++) {
            TaskView memory task = MARKET.getTask(_all[i]);
            task.hookSet = 0;
            hash = keccak256(abi.encode(hash, task, MARKET.evaluationOf(_all[i])));
        }
        IERC20 usdc = IERC20(MARKET.usdc());
        for (uint256 i; i < ACTORS; i++) {
            hash = keccak256(abi.encode(hash, usdc.balanceOf(actorAt(i)), MARKET.creditOf(actorAt(i))));
        }
    }

    /// @dev How many tasks stand so, and how many were open to a claim again.
    function countOf(Status status) external view returns (uint256 count, uint256 reopened) {
        for (uint256 i; i < _all.length; i++) {
            TaskView memory task = MARKET.getTask(_all[i]);
            if (task.status == status) count++;
            if (task.round > 0) reopened++;
        }
    }

    function steps() external pure returns (bytes4[] memory list) {
        list = new bytes4[](22);
        uint256 i;
        for (; i < 4; i++) {
            list[i] = this.create.selector;
        }
        for (; i < 12; i++) {
            list[i] = this.advance.selector;
        }
        list[i++] = this.leave.selector;
        list[i++] = this.setRate.selector;
        list[i++] = this.setParts.selector;
        list[i++] = this.setBounds.selector;
        list[i++] = this.setCaps.selector;
        list[i++] = this.setRamp.selector;
        list[i++] = this.changeReserve.selector;
        list[i++] = this.withdraw.selector;
        list[i++] = this.changeToken.selector;
        list[i++] = this.passTime.selector;
        assert(i == list.length);
    }

    function _cap(uint256 most) private returns (uint48) {
        return _oneIn(3) ? 0 : uint48(_roll(most));
    }
}
