// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {SuffixRule} from "../../../src/types/RelayTypes.sol";
import {CreateTaskParams, Status, Winner} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {DemandingHook} from "../support/DemandingHook.sol";
import {HookTest} from "../support/HookTest.sol";
import {LedgerHook} from "../support/LedgerHook.sol";

contract HookGasTest is HookTest {
    /// @dev Gas of a hook's dispatch before it reads its gas.
    uint256 private constant DISPATCH = 300;
    uint256 private constant CUSTOM = 300_000;

    DemandingHook private custom = new DemandingHook(CUSTOM);
    DemandingHook private general = new DemandingHook(500_000);

    /// when a custom hook is called: it has 300k gas at every step
    function test_GivesACustomHookItsStipend() external {
        bytes32 taskId = create(hooked(aBounty()));
        assertStipend(hook, CUSTOM);
        submit(taskId, alice, "a1");
        assertStipend(hook, CUSTOM);
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(alice, 5000, bob, 5000));
        assertStipend(hook, CUSTOM);
        cancel(create(hooked(aBounty())));
        assertStipend(hook, CUSTOM);
    }

    /// when a default hook is called: it has 500k gas at every step
    function test_GivesADefaultHookItsStipend() external {
        setDefault(address(standing));
        bytes32 taskId = createBounty();
        assertStipend(standing, 500_000);
        submit(taskId, alice, "a1");
        assertStipend(standing, 500_000);
        cancel(createBounty());
        assertStipend(standing, 500_000);
    }

    /// when a default hook is called: it has 100k gas more for each award that is paid
    function test_GivesADefaultHookMoreForAwards() external {
        setDefault(address(standing));
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(alice, 5000, bob, 5000));
        assertStipend(standing, 700_000);
        taskId = createBounty();
        submit(taskId, alice, "a1");
        // A call that reverts is forgotten: the one before it is seen, the check.
        standing.script(ITaskHook.onComplete.selector, ScriptedHook.Behaviour.Revert);
        accept(taskId, alice, "a1");
        assertStipend(standing, 500_000);
    }

    /// when there are several default hooks: it gives each the gas for all awards
    function test_GivesEachTheGasForAwards() external {
        vm.prank(owner);
        market.setDefaultHooks(asList(address(standing), address(second)));
        bytes32 taskId = create(hooked(aBounty()));
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertStipend(standing, 600_000);
        assertStipend(second, 600_000);
        assertStipend(hook, CUSTOM);
    }

    /// when there are several default hooks: it gives them 7.5M gas for awards together at most
    function test_BoundsTheGasForAwards() external {
        vm.prank(owner);
        market.setDefaultHooks(asList(address(standing), address(second)));
        bytes32 taskId = createBounty();
        Winner[] memory winners = new Winner[](50);
        for (uint256 i; i < 50; i++) {
            winners[i] = Winner(address(uint160(0xbeef00 + i)), 200, "x");
            submit(taskId, winners[i].worker, "x");
        }
        split(taskId, winners);
        assertStipend(standing, 4_250_000);
        assertStipend(second, 4_250_000);
    }

    /// when the caller brings too little gas for a hook: it reverts with NotEnoughGas and the gas that call takes
    function test_RevertWhen_BroughtTooLittle() external {
        bytes32 taskId = create(hooked(aBounty()));
        skip(DURATION);
        expectError(ITaskMarket.NotEnoughGas.selector, (CUSTOM * 64) / 63 + 40_000);
        market.refundExpired{gas: CUSTOM}(taskId);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Open));
    }

    /// when the caller brings too little gas for a hook: it asks for the stipend of a default hook and its awards
    function test_RevertWhen_BroughtTooLittleForADefaultHook() external {
        setDefault(address(standing));
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        vm.prank(requester);
        expectError(ITaskMarket.NotEnoughGas.selector, (uint256(500_000) * 64) / 63 + 40_000);
        market.acceptSubmission{gas: 500_000}(taskId, alice, "a1");
        // Enough for the check, not for the notice.
        vm.prank(requester);
        expectError(ITaskMarket.NotEnoughGas.selector, (uint256(600_000) * 64) / 63 + 40_000);
        market.acceptSubmission{gas: 700_000}(taskId, alice, "a1");
    }

    /// when the caller brings any amount of gas: it never starves a hook of an exit
    function testFuzz_NeverStarvesAnExit(uint256 gas) external {
        bytes32 taskId = createDemanding(new address[](0));
        skip(DURATION);
        bool done = assertNotStarved(gas, address(market), abi.encodeCall(market.refundExpired, (taskId)));
        assertEq(uint8(market.getTask(taskId).status), uint8(done ? Status.Expired : Status.Open));
        assertEq(usdc.balanceOf(address(market)), done ? 0 : REWARD);
    }

    /// when the caller brings any amount of gas: it never starves a hook of a payment
    function testFuzz_NeverStarvesAPayment(uint256 gas) external {
        bytes32 taskId = createDemanding(new address[](0));
        submit(taskId, alice, "a1");
        general.demandMore(ITaskHook.onComplete.selector, 100_000);
        vm.prank(requester);
        bool done =
            assertNotStarved(gas, address(market), abi.encodeCall(market.acceptSubmission, (taskId, alice, "a1")));
        assertEq(uint8(market.getTask(taskId).status), uint8(done ? Status.Completed : Status.Open));
        assertEq(usdc.balanceOf(address(market)), done ? 0 : REWARD);
    }

    /// when the caller brings any amount of gas: it never starves a hook of a creation
    function testFuzz_NeverStarvesACreation(uint256 gas) external {
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(custom));
        vm.prank(requester);
        bool done = assertNotStarved(gas, address(market), abi.encodeCall(market.createTask, (params)));
        assertEq(usdc.balanceOf(address(market)), done ? REWARD : 0);
        assertEq(custom.heard(), done ? 1 : 0);
    }

    /// when the caller brings any amount of gas: it never starves a hook of a relayed exit
    function testFuzz_NeverStarvesARelayedExit(uint256 gas) external {
        allow(address(market), ITaskMarket.refundExpired.selector, 15, SuffixRule.None, "");
        bytes32 taskId = createDemanding(new address[](0));
        skip(DURATION);
        bytes memory call = abi.encodeCall(market.refundExpired, (taskId));
        vm.prank(relayer);
        bool done = assertNotStarved(
            gas, address(forwarder), abi.encodeCall(forwarder.relayOpen, ("intent", address(market), call))
        );
        assertEq(uint8(market.getTask(taskId).status), uint8(done ? Status.Expired : Status.Open));
    }

    /// when a hook uses nearly all it has: it succeeds
    function test_LetsAHookUseItsGas() external {
        bytes32 taskId = createDemanding(asList(address(hook)));
        vm.recordLogs();
        cancel(taskId);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(countFailures(logs, address(custom), ITaskHook.onCancel.selector), 0);
        assertEq(countFailures(logs, address(general), ITaskHook.onCancel.selector), 0);
        assertEq(custom.heard(), 2);
        assertEq(general.heard(), 2);
        assertEq(hook.calls(ITaskHook.onCancel.selector), 1);
    }

    /// when fifty awards are told to a custom hook: it has room to hash and log them all
    function test_HasRoomForFiftyAwards() external {
        LedgerHook ledger = new LedgerHook();
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(ledger));
        bytes32 taskId = create(params);
        Winner[] memory winners = new Winner[](50);
        for (uint256 i; i < 50; i++) {
            winners[i] = Winner(address(uint160(0xbeef00 + i)), 200, "x");
            submit(taskId, winners[i].worker, "x");
        }
        vm.cool(address(ledger));
        vm.recordLogs();
        split(taskId, winners);
        assertEq(countFailures(vm.getRecordedLogs(), address(ledger), ITaskHook.onComplete.selector), 0);
        assertNotEq(ledger.credits(taskId), 0);
    }

    /// @dev Default hook, then custom ones, the first of which demands its stipend.
    function createDemanding(address[] memory more) private returns (bytes32) {
        setDefault(address(general));
        CreateTaskParams memory params = aBounty();
        params.hooks = new address[](1 + more.length);
        params.hooks[0] = address(custom);
        if (more.length > 0) params.hooks[1] = more[0];
        return create(params);
    }

    /// @dev Asserts that the call happens without a failed hook, or not at all.
    function assertNotStarved(uint256 gas, address target, bytes memory data) private returns (bool done) {
        gas = bound(gas, 50_000, 3_000_000);
        vm.recordLogs();
        (done,) = target.call{gas: gas}(data);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; done && i < logs.length; i++) {
            assertNotEq(logs[i].topics[0], HookCallFailed.selector, "a hook was starved");
        }
        if (gas > 2_800_000) assertTrue(done, "enough was not enough");
    }

    function assertStipend(ScriptedHook listener, uint256 stipend) private view {
        assertLe(listener.lastGas(), stipend);
        assertGt(listener.lastGas() + DISPATCH, stipend);
    }
}
