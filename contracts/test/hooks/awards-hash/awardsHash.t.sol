// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {Award, CreateTaskParams, Verdict} from "../../../src/types/TaskTypes.sol";
import {HookTest} from "../support/HookTest.sol";

contract AwardsHashTest is HookTest {
    /// given a task with a custom hook: when one submission is accepted: it holds the worker and the whole reward
    function test_HoldsAnAcceptance() external {
        bytes32 taskId = createEntered(hooked(aBounty()));
        accept(taskId, bob, "b1");
        assertAwards(taskId, bob, REWARD);
    }

    /// given a task with a custom hook: when a reward is split: it holds every award in the order of the events
    function test_HoldsASplit() external {
        bytes32 taskId = createEntered(hooked(aBounty()));
        split(taskId, winnersOf(alice, 3333, bob, 6667));
        assertAwards(taskId, alice, 3_333_000, bob, 6_667_000);
    }

    /// given a task with a custom hook: when a verdict is final: it holds the evaluator's awards in their order
    function test_HoldsAVerdict() external {
        bytes32 taskId = createEntered(hooked(evaluated(aBounty())));
        Award[] memory awards = new Award[](2);
        (awards[0], awards[1]) = (Award(bob, 3e6, 2), Award(alice, 5e6, 1));
        evaluateExpired(taskId, Verdict.Approve, awards);
        assertEq(market.awardsHash(taskId), 0, "before it is final");
        finalize(taskId);
        assertAwards(taskId, bob, 3e6, alice, 5e6);
    }

    /// given a task with a custom hook: when an approving verdict without awards is final: it holds the worker and all that is left after the fee
    function test_HoldsAnApproval() external {
        bytes32 taskId = createDelivered();
        evaluate(taskId, Verdict.Approve, noAwards());
        finalize(taskId);
        assertAwards(taskId, alice, 9_500_000);
    }

    /// given a task with a custom hook: when a dispute is resolved: it holds the resolver's awards, not the evaluator's
    function test_HoldsAResolution() external {
        bytes32 taskId = createDelivered();
        evaluate(taskId, Verdict.Partial, oneAward(alice, 1e6));
        vm.prank(alice);
        market.appeal(taskId);
        vm.prank(resolver);
        market.resolveDispute(taskId, Verdict.Partial, oneAward(alice, 4e6));
        assertAwards(taskId, alice, 4e6);
    }

    /// given a task with a custom hook: when silence is settled for the worker: it holds the worker and the price
    function test_HoldsSettledSilence() external {
        bytes32 taskId = createDelivered();
        skip(DURATION + 90 days);
        market.settleStale(taskId);
        assertAwards(taskId, alice, REWARD);
    }

    /// given a task with a custom hook: when the task is cancelled, rejected or expired: it stays zero
    function test_StaysZeroWithoutAwards() external {
        bytes32 cancelled = create(hooked(aBounty()));
        cancel(cancelled);
        bytes32 rejected = createDelivered();
        evaluate(rejected, Verdict.Reject, noAwards());
        finalize(rejected);
        bytes32 expired = create(hooked(aBounty()));
        skip(DURATION);
        market.refundExpired(expired);
        assertEq(market.awardsHash(cancelled), 0);
        assertEq(market.awardsHash(rejected), 0);
        assertEq(market.awardsHash(expired), 0);
    }

    /// given a task with a custom hook: while the task lives: it stays zero
    function test_StaysZeroWhileItLives() external {
        assertEq(market.awardsHash(createDelivered()), 0);
    }

    /// given a task with default hooks alone: it stays zero for ever
    function test_StaysZeroWithDefaultHooksAlone() external {
        setDefault(address(standing));
        bytes32 taskId = createCompleted();
        assertEq(standing.calls(ITaskHook.onComplete.selector), 1);
        assertEq(market.awardsHash(taskId), 0);
    }

    /// given a task without hooks: it stays zero for ever
    function test_StaysZeroWithoutHooks() external {
        assertEq(market.awardsHash(createCompleted()), 0);
    }

    function createEntered(CreateTaskParams memory params) private returns (bytes32 taskId) {
        taskId = create(params);
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
    }

    function createDelivered() private returns (bytes32 taskId) {
        taskId = create(hooked(evaluated(aClaim())));
        claim(taskId, alice);
        submit(taskId, alice, "a1");
    }

    function finalize(bytes32 taskId) private {
        skip(1 hours);
        market.finalizeVerdict(taskId);
    }

    function assertAwards(bytes32 taskId, address worker, uint256 amount) private view {
        uint256[] memory amounts = new uint256[](1);
        amounts[0] = amount;
        assertEq(market.awardsHash(taskId), keccak256(abi.encode(asList(worker), amounts)));
    }

    function assertAwards(bytes32 taskId, address first, uint256 amount, address next, uint256 nextAmount)
        private
        view
    {
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (amount, nextAmount);
        assertEq(market.awardsHash(taskId), keccak256(abi.encode(asList(first, next), amounts)));
    }
}
