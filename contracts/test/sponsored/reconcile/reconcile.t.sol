// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISponsoredTasksHook} from "../../../src/interfaces/ISponsoredTasksHook.sol";
import {ChargeState} from "../../../src/interfaces/ISponsoredVault.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract ReconcileTest is SponsoredTest {
    /// when the completion was missed: it credits as the notification does, whichever account calls
    function test_Credits() external {
        bytes32 taskId = createSponsored();
        submit(taskId, alice, "a1");
        breakVault(taskId);
        accept(taskId, alice, "a1");
        mendVault();
        assertState(taskId, ChargeState.Reserved);
        vm.prank(stranger);
        hook.reconcile(taskId, asList(alice), amountsOf(REWARD));
        assertState(taskId, ChargeState.Credited);
        assertTotals(FUNDS - GROSS, 0, NET, FEE);
    }

    /// when another ending was missed: it releases everything
    function test_Releases() external {
        (bytes32 cancelled, bytes32 expired) = (createSponsored(), createSponsored());
        breakVault(cancelled);
        cancel(cancelled);
        vm.warp(block.timestamp + DURATION + 1);
        market.refundExpired(expired);
        mendVault();
        assertTotals(FUNDS - 2 * GROSS, 2 * GROSS, 0, 0);
        hook.reconcile(cancelled, noAccounts(), noAmounts());
        hook.reconcile(expired, noAccounts(), noAmounts());
        assertTotals(FUNDS, 0, 0, 0);
        assertEq(spentBy(requester), 0);
    }

    /// when the awards differ: it reverts with AwardsMismatch
    function test_OtherAwards() external {
        bytes32 taskId = createSponsored();
        submit(taskId, alice, "a1");
        breakVault(taskId);
        accept(taskId, alice, "a1");
        mendVault();
        bytes32 expected = keccak256(abi.encode(asList(alice), amountsOf(REWARD)));
        bytes32 actual = keccak256(abi.encode(asList(bob), amountsOf(REWARD)));
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.AwardsMismatch.selector, expected, actual));
        hook.reconcile(taskId, asList(bob), amountsOf(REWARD));
    }

    /// when the task goes on: it reverts with TaskNotEnded
    function test_GoesOn() external {
        bytes32 taskId = createSponsored();
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.TaskNotEnded.selector, taskId));
        hook.reconcile(taskId, noAccounts(), noAmounts());
    }

    /// when nothing was missed: it reverts with NothingToReconcile
    function test_NothingMissed() external {
        expectNothing(createCredited());
        expectNothing(createSettled());
    }

    /// when the vault was exited: it reverts with NothingToReconcile
    function test_Exited() external {
        bytes32 taskId = createSponsored();
        cancelAfterExit(taskId);
        expectNothing(taskId);
    }

    /// when the task has no reward: it reverts with NoReward
    function test_NoReward() external {
        bytes32 taskId = createCompleted();
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.NoReward.selector, taskId));
        hook.reconcile(taskId, asList(alice), amountsOf(REWARD));
    }

    /// @dev Makes credits and releases of the vault fail, as calls that run out of gas do.
    function breakVault(bytes32 taskId) private {
        assertState(taskId, ChargeState.Reserved);
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(vault.credit.selector), "broken");
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(vault.release.selector), "broken");
    }

    function mendVault() private {
        vm.clearMockedCalls();
    }

    function cancelAfterExit(bytes32 taskId) private {
        announceAndExit();
        market.refundExpired(taskId);
    }

    function expectNothing(bytes32 taskId) private {
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.NothingToReconcile.selector, taskId));
        hook.reconcile(taskId, asList(alice), amountsOf(REWARD));
    }
}
