// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";
import {RawHook} from "../support/RawHook.sol";

contract VetoTest is HookTest {
    bytes4 private constant STEP = ITaskHook.checkSubmit.selector;

    RawHook private raw = new RawHook();
    bytes32 private taskId;

    function setUp() public override {
        super.setUp();
        raw.answer(false, abi.encode(true), 32);
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(raw));
        taskId = create(params);
    }

    /// when a hook answers false: it gives no reason
    function test_GivesNoReasonForFalse() external {
        raw.answer(false, abi.encode(false), 32);
        expectRefused("");
    }

    /// when a hook reverts with an error: it gives all of it
    function test_GivesTheWholeError() external {
        bytes memory reason = abi.encodeWithSelector(ScriptedHook.Scripted.selector, type(uint256).max);
        raw.answer(true, reason, reason.length);
        expectRefused(reason);
    }

    /// when a hook reverts with less than a word: it gives those bytes
    function test_GivesAShortReason() external {
        raw.answer(true, hex"aabbccdd", 4);
        expectRefused(hex"aabbccdd");
    }

    /// when a hook reverts with nothing: it gives no reason
    function test_GivesNoReasonForSilence() external {
        raw.answer(true, "", 0);
        expectRefused("");
    }

    /// when a hook answers with something that is not a boolean: it counts as a refusal without a reason
    function testFuzz_RefusesWhatIsNoBoolean(uint256 word) external {
        vm.assume(word != 1);
        raw.answer(false, abi.encode(word), 32);
        expectRefused("");
    }

    /// when a hook answers with less than a word: it counts as a refusal without a reason
    function testFuzz_RefusesLessThanAWord(uint256 size) external {
        size = bound(size, 0, 31);
        raw.answer(false, abi.encode(type(uint256).max), size);
        expectRefused("");
    }

    /// when a hook answers with much more than a word: it counts the first
    function test_CountsTheFirstWord() external {
        raw.answer(false, abi.encode(true), 100_000);
        submit(taskId, alice, "a1");
        raw.answer(false, abi.encode(false), 100_000);
        expectRefused("");
    }

    /// when a hook burns all its gas: it counts as a refusal without a reason
    function test_GivesNoReasonForBurntGas() external {
        raw.answer(true, "", 10_000_000);
        expectRefused("");
    }

    /// when a hook reverts with 256 bytes or more: it gives the first 256 of them
    function test_GivesTheFirst256Bytes() external {
        bytes memory reason = new bytes(256);
        (reason[0], reason[255]) = (0x01, 0xff);
        raw.answer(true, reason, 256);
        expectRefused(reason);
        raw.answer(true, abi.encodePacked(reason, hex"ee"), 257);
        expectRefused(reason);
    }

    /// when a hook reverts with as much as its gas pays for: it gives the first 256 bytes of it
    function test_GivesTheStartOfAFlood() external {
        bytes memory reason = new bytes(256);
        (reason[31], reason[63]) = (0x20, 0x05);
        for (uint256 i; i < 5; i++) {
            reason[64 + i] = bytes("flood")[i];
        }
        raw.answer(true, abi.encode("flood"), 300_000);
        expectRefused(reason);
    }

    /// when a hook reverts with as much as its gas pays for: it costs the caller no more than the hook's own gas
    function test_BoundsAFlood() external {
        // A delivery goes through either way.
        (bytes32 first, bytes32 next) = (createClaimed(), createClaimed());
        uint256 agreed = gasOfDelivering(first);
        raw.answer(true, abi.encode("flood"), 300_000);
        uint256 flooded = gasOfDelivering(next);
        assertEq(market.getTask(next).deliverable, "a1");
        // Writing the flood costs the hook about 200k; copying it would cost the market as much again.
        assertGt(flooded, agreed + 150_000);
        assertLt(flooded, agreed + 300_000);
    }

    /// when a hook loses its code after it was attached: it refuses checks, which are overruled where they must be, and hears nothing
    function test_OutlivesAHookWithoutCode() external {
        bytes32 claimed = createClaimed();
        vm.etch(address(raw), "");
        expectRefused("");
        vm.recordLogs();
        submit(claimed, alice, "a1");
        skip(DURATION + 90 days);
        market.settleStale(claimed);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(countFailures(logs, address(raw), STEP), 1);
        assertEq(countFailures(logs, address(raw), ITaskHook.checkComplete.selector), 1);
        assertEq(countFailures(logs, address(raw), ITaskHook.onComplete.selector), 0);
        assertEq(market.totalEscrow(), REWARD, "the other task's");
    }

    function expectRefused(bytes memory reason) private {
        vm.prank(bob);
        expectVeto(address(raw), STEP, reason);
        market.submitWork(taskId, "refused");
    }

    function createClaimed() private returns (bytes32 claimed) {
        CreateTaskParams memory params = aClaim();
        params.hooks = asList(address(raw));
        claimed = create(params);
        claim(claimed, alice);
    }

    function gasOfDelivering(bytes32 claimed) private returns (uint256) {
        vm.prank(alice);
        uint256 before = gasleft();
        market.submitWork(claimed, "a1");
        return before - gasleft();
    }
}
