// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {BonusCaps, BonusRole, IBonusHook, SkipReason} from "../../../src/interfaces/IBonusHook.sol";
import {ITaskMarketEvents} from "../../../src/interfaces/ITaskMarketEvents.sol";
import {BonusMath} from "../../../src/bonus/BonusMath.sol";

/// @title State of a programme from its logs alone
/// @notice Recomputes claims from credits and withdrawals, and refuses a credit that breaks a cap, a bound or a rule.
contract BonusLedger {
    struct Credit {
        uint256 rank;
        uint256 usdBonus;
        uint256 usdCredited;
        uint256 tokenPerUsdc;
        uint256 share;
        uint256 multiplierBps;
        uint256 credited;
        uint256 epoch;
    }

    BonusCaps private _caps;
    uint256 private _maxBonusPerFeeBps;
    mapping(address account => uint256) public claimable;
    uint256 public totalClaimable;
    uint256 public withdrawn;
    uint256 public taken;
    uint256 public credits;
    /// @dev Sums of the fees paid, and of the credits for them at their rates; USDC base units.
    uint256 public feesPaid;
    uint256 public valueCredited;
    mapping(SkipReason reason => uint256) public skips;
    uint256 public failures;

    mapping(bytes32 award => uint256) private _feeOf;
    mapping(bytes32 award => uint256) private _usdOf;
    mapping(bytes32 award => uint256) private _valueOf;
    mapping(bytes32 taskId => uint256) private _usdOfTask;
    mapping(uint256 epoch => uint256) public usdOfEpoch;
    mapping(uint256 epoch => uint256) public tokensOfEpoch;
    mapping(bytes32 accountRoleAndEpoch => uint256) private _usdOfAccount;
    mapping(bytes32 taskRankAndRole => bool) private _isCredited;

    function read(Vm.Log[] calldata logs, address market, address bonus) external {
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].emitter == market) _readMarket(logs[i]);
            else if (logs[i].emitter == bonus) _readBonus(logs[i]);
        }
    }

    /// @dev An award's log comes before its credits.
    function _readMarket(Vm.Log calldata log) private {
        if (log.topics[0] != ITaskMarketEvents.TaskCompleted.selector) return;
        (uint256 rank,,, uint256 fee,,) = abi.decode(log.data, (uint256, uint256, uint256, uint256, bytes32, bool));
        _feeOf[keccak256(abi.encode(log.topics[1], rank))] = fee;
        feesPaid += fee;
    }

    function _readBonus(Vm.Log calldata log) private {
        bytes32 topic = log.topics[0];
        if (topic == IBonusHook.CapsUpdated.selector) {
            _caps = abi.decode(log.data, (BonusCaps));
        } else if (topic == IBonusHook.BoundsUpdated.selector) {
            (_maxBonusPerFeeBps,) = abi.decode(log.data, (uint256, uint256));
        } else if (topic == IBonusHook.BonusCredited.selector) {
            _readCredit(log);
        } else if (topic == IBonusHook.BonusWithdrawn.selector) {
            (uint256 amount,) = abi.decode(log.data, (uint256, bytes32));
            address account = _accountOf(log.topics[1]);
            require(amount == claimable[account] && amount > 0, "a withdrawal is not the whole claim");
            claimable[account] = 0;
            totalClaimable -= amount;
            withdrawn += amount;
        } else if (topic == IBonusHook.ReserveTaken.selector) {
            taken += abi.decode(log.data, (uint256));
        } else if (topic == IBonusHook.BonusSkipped.selector) {
            (, SkipReason reason) = abi.decode(log.data, (uint256, SkipReason));
            skips[reason]++;
        } else if (topic == IBonusHook.BonusFailed.selector) {
            failures++;
        }
    }

    function _readCredit(Vm.Log calldata log) private {
        (bytes32 taskId, address account) = (log.topics[1], _accountOf(log.topics[2]));
        BonusRole role = BonusRole(uint256(log.topics[3]));
        Credit memory credit = abi.decode(log.data, (Credit));
        bytes32 side = keccak256(abi.encode(taskId, credit.rank, role));
        require(!_isCredited[side], "a side was credited twice");
        _isCredited[side] = true;
        credits++;
        claimable[account] += credit.credited;
        totalClaimable += credit.credited;
        require(credit.credited > 0 && credit.usdCredited > 0, "nothing was credited");
        require(credit.credited <= BonusMath.partOf(credit.share, credit.multiplierBps), "more than the share");
        _checkFee(taskId, credit);
        _checkCaps(taskId, account, role, credit);
    }

    /// @dev Asserts that requester and worker together earn no more than the bound on the fee they paid.
    function _checkFee(bytes32 taskId, Credit memory credit) private {
        bytes32 award = keccak256(abi.encode(taskId, credit.rank));
        uint256 bound = (_feeOf[award] * _maxBonusPerFeeBps) / BonusMath.BPS;
        require(credit.usdBonus <= bound, "a bonus above the fee bound");
        _usdOf[award] += credit.usdCredited;
        require(_usdOf[award] <= credit.usdBonus, "both sides exceed the bonus");
        uint256 value = (credit.credited * BonusMath.USDC) / credit.tokenPerUsdc;
        // The division between the sides, and the multiplier, round USDC and tokens down each on their own; the
        // requester's side has the base unit of the token that the division leaves over.
        uint256 rounding = 2 + BonusMath.USDC / credit.tokenPerUsdc + 1;
        require(value <= credit.usdCredited + rounding, "tokens worth more than what is counted");
        _valueOf[award] += value;
        require(_valueOf[award] <= credit.usdBonus, "tokens worth more than the bonus");
        valueCredited += value;
    }

    function _checkCaps(bytes32 taskId, address account, BonusRole role, Credit memory credit) private {
        _usdOfTask[taskId] += credit.usdCredited;
        require(_usdOfTask[taskId] <= _caps.taskUsd, "the cap of a task");
        usdOfEpoch[credit.epoch] += credit.usdCredited;
        require(usdOfEpoch[credit.epoch] <= _caps.globalUsd, "the global cap in USDC");
        tokensOfEpoch[credit.epoch] += credit.credited;
        require(tokensOfEpoch[credit.epoch] <= _caps.globalTokens, "the global cap in tokens");
        bytes32 place = keccak256(abi.encode(account, role, credit.epoch));
        _usdOfAccount[place] += credit.usdCredited;
        uint256 cap = role == BonusRole.Worker ? _caps.workerUsd : _caps.requesterUsd;
        require(_usdOfAccount[place] <= cap, "the cap of an account");
    }

    function _accountOf(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
