// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CommonBase} from "forge-std/Base.sol";
import {BonusHook} from "../../../src/BonusHook.sol";
import {TaskMarket} from "../../../src/TaskMarket.sol";
import {BonusBounds, BonusCaps, BonusRamp} from "../../../src/interfaces/IBonusHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Award, CreateTaskParams, Status, TaskView, Verdict, Winner} from "../../../src/types/TaskTypes.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {BonusLedger} from "./BonusLedger.sol";

/// @title Eight accounts that trade with each other, and an owner who turns every setting
/// @notice Each account is requester and worker of different tasks, now and then of the same one. A refused call is no
/// error: the laws hold all the same.
contract BonusHandler is CommonBase {
    uint256 public constant ACTORS = 8;
    /// @dev For calls to a programme that may burn all of it.
    uint256 private constant CALL_GAS = 1_000_000;

    TaskMarket private immutable MARKET;
    BonusHook private immutable BONUS;
    HostileToken private immutable TOKEN;
    BonusLedger private immutable LEDGER;
    address private immutable OWNER;

    bytes32[] private _live;
    bytes32[] private _all;
    bytes32 private _dice;
    uint256 public minted;

    constructor(TaskMarket market, BonusHook bonus, HostileToken token, BonusLedger ledger, address owner) {
        (MARKET, BONUS, TOKEN, LEDGER, OWNER) = (market, bonus, token, ledger, owner);
    }

    modifier step(uint256 seed) {
        _dice = keccak256(abi.encode(_dice, seed));
        vm.recordLogs();
        _;
        LEDGER.read(vm.getRecordedLogs(), address(MARKET), address(BONUS));
    }

    function actorAt(uint256 index) public pure returns (address) {
        return vm.addr(0xB0705000 + index % ACTORS);
    }

    // --- Tasks ---

    function create(uint256 seed) external step(seed) {
        CreateTaskParams memory params;
        bytes4[4] memory modes = [Modes.BOUNTY, Modes.CLAIM, Modes.PITCH, Modes.AUCTION];
        params.mode = modes[_roll(4)];
        if (params.mode == Modes.AUCTION) (params.auctionType, params.clockPrice) = (Modes.DUTCH, 1000);
        params.reward = uint96(_oneIn(3) ? 1000 + _roll(20_000) : 1e6 + _roll(1000e6));
        params.duration = 30 days;
        if (_oneIn(4)) {
            params.evaluation.evaluator = actorAt(_roll(ACTORS));
            params.evaluation.feeBps = uint16(_roll(1000));
            (params.evaluation.evaluationWindow, params.evaluation.appealWindow) = (30 days, 300);
        }
        vm.prank(actorAt(_roll(ACTORS)));
        try MARKET.createTask(params) returns (bytes32 taskId) {
            _live.push(taskId);
            _all.push(taskId);
        } catch {}
    }

    /// @dev Takes a task one step further: entry, assignment, delivery or ending.
    function advance(uint256 seed) external step(seed) {
        if (_live.length == 0) return;
        uint256 index = _roll(_live.length);
        bytes32 taskId = _live[index];
        TaskView memory task = MARKET.getTask(taskId);
        address worker = actorAt(_roll(ACTORS));
        if (task.status >= Status.Completed) {
            _live[index] = _live[_live.length - 1];
            _live.pop();
        } else if (task.status == Status.Open) {
            _enter(taskId, task, worker);
        } else if (task.status == Status.PendingApproval) {
            _do(task.requester, abi.encodeCall(MARKET.acceptSubmission, (taskId, task.worker, "x")));
        } else if (task.status == Status.Review) {
            _judge(taskId, task, task.worker);
        } else if (task.status == Status.Appealing) {
            vm.warp(block.timestamp + 300);
            _do(worker, abi.encodeCall(MARKET.finalizeVerdict, (taskId)));
        } else {
            _do(task.worker, abi.encodeCall(MARKET.submitWork, (taskId, "x")));
        }
    }

    function _enter(bytes32 taskId, TaskView memory task, address worker) private {
        if (task.mode == Modes.CLAIM) {
            _do(worker, abi.encodeCall(MARKET.claimTask, (taskId, 0)));
        } else if (task.mode == Modes.AUCTION) {
            _do(worker, abi.encodeCall(MARKET.acceptAuction, (taskId, 0)));
        } else if (task.mode == Modes.PITCH) {
            _do(worker, abi.encodeCall(MARKET.submitPitch, (taskId, "p")));
            if (_oneIn(2)) _do(task.requester, abi.encodeCall(MARKET.selectWorker, (taskId, worker)));
        } else if (task.activeSubmissions < 2 || _oneIn(3)) {
            _do(worker, abi.encodeCall(MARKET.submitWork, (taskId, "x")));
        } else if (task.hasEvaluator) {
            _judge(taskId, task, worker);
        } else {
            _split(taskId, task);
        }
    }

    /// @dev Among all who submitted, in uneven parts.
    function _split(bytes32 taskId, TaskView memory task) private {
        Winner[] memory all = new Winner[](ACTORS);
        uint256 count;
        for (uint256 i; i < ACTORS; i++) {
            if (MARKET.entryOf(taskId, actorAt(i)).active == 0) continue;
            all[count++] = Winner(actorAt(i), uint16(_between(1, 1000)), "x");
        }
        Winner[] memory winners = new Winner[](count);
        uint16 rest = 10_000;
        for (uint256 i; i < count; i++) {
            winners[i] = all[i];
            if (i == count - 1) winners[i].shareBps = rest;
            rest -= winners[i].shareBps;
        }
        _do(task.requester, abi.encodeCall(MARKET.acceptSubmissions, (taskId, winners)));
    }

    function _judge(bytes32 taskId, TaskView memory task, address worker) private {
        uint256 payable_ = task.price == 0 ? task.reward : task.price;
        uint256 net = payable_ - payable_ * MARKET.evaluationOf(taskId).feeBps / 10_000;
        Award[] memory awards = new Award[](1);
        bool isPartial = _oneIn(3);
        awards[0] = Award(worker, uint80(isPartial ? 1 + _roll(net) : net), 1);
        Verdict verdict = isPartial ? Verdict.Partial : Verdict.Approve;
        _do(
            MARKET.evaluationOf(taskId).evaluator,
            abi.encodeCall(MARKET.evaluate, (taskId, verdict, 1000, 1000, 0, awards))
        );
    }

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

    function _takeReserve(uint256 amount, bool isAll) private {
        try BONUS.available{gas: CALL_GAS}() returns (uint256 available) {
            _own(abi.encodeCall(BONUS.takeReserve, (OWNER, isAll ? available : amount)));
        } catch {}
    }

    function withdraw(uint256 seed) external step(seed) {
        address account = actorAt(_roll(ACTORS));
        vm.prank(account);
        try BONUS.withdraw{gas: CALL_GAS}(account) {} catch {}
    }

    function changeToken(uint256 seed) external step(seed) {
        HostileToken.Behaviour next = HostileToken.Behaviour(_roll(7));
        // A token that takes more than it is told to is refused; one with a fee pays out less.
        TOKEN.script(_oneIn(2) ? HostileToken.Behaviour.None : next);
    }

    function passTime(uint256 seed) external step(seed) {
        vm.warp(block.timestamp + (_oneIn(4) ? 7 days : _roll(2 days)));
    }

    /// @dev What the market says of every task and every account, but which hooks a task has.
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

    function steps() external pure returns (bytes4[] memory list) {
        list = new bytes4[](20);
        uint256 i;
        for (; i < 4; i++) {
            list[i] = this.create.selector;
        }
        for (; i < 11; i++) {
            list[i] = this.advance.selector;
        }
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

    function _own(bytes memory data) private {
        _own(data, address(BONUS));
    }

    function _own(bytes memory data, address target) private {
        vm.prank(OWNER);
        (bool ok,) = target.call{gas: CALL_GAS}(data);
        ok;
    }

    function _do(address actor, bytes memory data) private {
        vm.prank(actor);
        (bool ok,) = address(MARKET).call(data);
        ok;
    }

    function _roll(uint256 sides) private returns (uint256) {
        _dice = keccak256(abi.encode(_dice));
        return uint256(_dice) % sides;
    }

    function _between(uint256 least, uint256 most) private returns (uint256) {
        return least + _roll(most - least + 1);
    }

    function _oneIn(uint256 sides) private returns (bool) {
        return _roll(sides) == 0;
    }
}
