// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {BaseTaskHook} from "../../../hooks/BaseTaskHook.sol";
import {HookVerdict, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Paths} from "../../hooks/support/Paths.sol";
import {PlainHook} from "./PlainHook.sol";

contract BaseTaskHookTest is Paths {
    PlainHook private plain;

    function setUp() public override {
        super.setUp();
        plain = new PlainHook(ITaskMarket(address(market)));
    }

    /// when asked what it supports: it names the hook ABI and ERC-165
    function test_NamesWhatItSpeaks() external view {
        assertTrue(plain.supportsInterface(0x2187b4de));
        assertTrue(plain.supportsInterface(0x01ffc9a7));
        assertFalse(plain.supportsInterface(0xffffffff));
        assertEq(address(plain.market()), address(market));
    }

    /// when any account but the market calls: it reverts with NotTheMarket at every step
    function test_RevertWhen_AStrangerCalls() external {
        TaskContext memory context;
        HookVerdict memory verdict;
        bytes[10] memory calls;
        calls[0] = abi.encodeCall(ITaskHook.checkFund, ("task", context, ""));
        calls[1] = abi.encodeCall(ITaskHook.checkClaim, ("task", context, alice));
        calls[2] = abi.encodeCall(ITaskHook.checkSelectWorker, ("task", context, alice));
        calls[3] = abi.encodeCall(ITaskHook.checkSubmit, ("task", context, alice, "a1"));
        calls[4] = abi.encodeCall(ITaskHook.checkEvaluate, ("task", context, evaluator));
        calls[5] = abi.encodeCall(ITaskHook.checkComplete, ("task", context, verdict));
        calls[6] = abi.encodeCall(ITaskHook.onComplete, ("task", context, verdict));
        calls[7] = abi.encodeCall(ITaskHook.onForfeit, ("task", context, alice));
        calls[8] = abi.encodeCall(ITaskHook.onCancel, ("task", context));
        calls[9] = abi.encodeCall(ITaskHook.onExpire, ("task", context));
        for (uint256 i; i < calls.length; i++) {
            vm.prank(stranger);
            (bool ok, bytes memory answer) = address(plain).call(calls[i]);
            assertFalse(ok);
            assertEq(answer, abi.encodeWithSelector(BaseTaskHook.NotTheMarket.selector, stranger));
        }
    }

    /// when nothing is overridden: it agrees with every life of a task
    function test_AgreesWithEverything() external {
        attached = asList(address(plain));
        vm.recordLogs();
        for (uint256 i; i <= uint256(type(Path).max); i++) {
            walk(Path(i));
        }
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            assertNotEq(logs[i].topics[0], HookCallFailed.selector);
        }
    }

    function act(address actor, bytes memory data, bool) internal override {
        vm.prank(actor);
        (bool ok,) = address(market).call(data);
        assertTrue(ok);
    }
}
