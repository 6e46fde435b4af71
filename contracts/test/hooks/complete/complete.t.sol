// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    HookAward,
    HookState,
    HookVerdict,
    HookVerdictType,
    ITaskHook,
    TaskContext
} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Award, CreateTaskParams, Status, Verdict} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract CompleteTest is HookTest {
    bytes4 private constant CHECK = ITaskHook.checkComplete.selector;
    bytes4 private constant NOTICE = ITaskHook.onComplete.selector;
    uint256 private constant FEE = REWARD / 20;

    /// when the requester accepts a submission: it asks and tells of a full approval with one award
    function test_TellsOfAnAcceptance() external {
        CreateTaskParams memory params = hooked(aBounty());
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertCompleted(taskId, contextFor(taskId, params, HookState.Accepted), fullApproval(alice, REWARD));
    }

    /// when the requester splits a reward: it tells of every award in its order
    function test_TellsOfASplit() external {
        CreateTaskParams memory params = hooked(aBounty());
        bytes32 taskId = createEntered(params);
        split(taskId, winnersOf(alice, 3333, bob, 6667));
        HookVerdict memory verdict = fullApproval(alice, 3_333_000);
        HookAward memory first = verdict.awards[0];
        verdict.awards = new HookAward[](2);
        (verdict.awards[0], verdict.awards[1]) = (first, HookAward(bob, 6_667_000, 2));
        assertCompleted(taskId, contextFor(taskId, params, HookState.Accepted), verdict);
    }

    /// when an approving verdict without awards is final: it tells of all that is left after the evaluator's fee
    function test_TellsOfAnApproval() external {
        CreateTaskParams memory params = hooked(evaluated(aClaim()));
        bytes32 taskId = createDelivered(params);
        evaluate(taskId, Verdict.Approve, noAwards());
        finalize(taskId);
        HookVerdict memory verdict = decision(HookVerdictType.Approve, alice, REWARD - FEE);
        assertCompleted(taskId, contextFor(taskId, params, HookState.Accepted), verdict);
    }

    /// when a partial verdict is final: it tells of the evaluator's scores, evidence and awards
    function test_TellsOfAPartialVerdict() external {
        CreateTaskParams memory params = hooked(evaluated(aBounty()));
        bytes32 taskId = createEntered(params);
        Award[] memory awards = new Award[](2);
        (awards[0], awards[1]) = (Award(alice, 3e6, 200), Award(bob, 1e6, 1));
        evaluateExpired(taskId, Verdict.Partial, awards);
        finalize(taskId);
        HookVerdict memory verdict = decision(HookVerdictType.Partial, alice, 0);
        verdict.awards = new HookAward[](2);
        (verdict.awards[0], verdict.awards[1]) = (HookAward(alice, 3e6, 200), HookAward(bob, 1e6, 1));
        TaskContext memory context = contextFor(taskId, params, HookState.Accepted);
        context.submissionDeadline = start + DURATION + 1 hours;
        assertCompleted(taskId, context, verdict);
    }

    /// when a dispute is resolved: it tells of the resolver's decision with full scores
    function test_TellsOfAResolution() external {
        CreateTaskParams memory params = hooked(evaluated(aClaim()));
        bytes32 taskId = createDisputed(params);
        vm.prank(resolver);
        market.resolveDispute(taskId, Verdict.Approve, oneAward(alice, 4e6));
        assertCompleted(taskId, contextFor(taskId, params, HookState.Accepted), fullApproval(alice, 4e6));
    }

    /// when an auction is accepted: it tells of the price
    function test_TellsOfThePrice() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.ENGLISH));
        bytes32 taskId = create(params);
        bid(taskId, alice, 6e6);
        skip(DURATION / 2);
        market.selectLowestBidder(taskId);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        TaskContext memory context = contextFor(taskId, params, HookState.Accepted);
        context.reward = 6e6;
        assertCompleted(taskId, context, fullApproval(alice, 6e6));
    }

    /// when silence is settled: it tells of a full approval
    function test_TellsOfSettledSilence() external {
        CreateTaskParams memory params = hooked(aClaim());
        bytes32 taskId = createDelivered(params);
        skip(DURATION + 90 days);
        market.settleStale(taskId);
        assertCompleted(taskId, contextFor(taskId, params, HookState.Accepted), fullApproval(alice, REWARD));
    }

    /// when a hook is asked and told: it is asked before any money moves and told after all of it
    function test_AsksBeforeAndTellsAfter() external {
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook), address(second));
        bytes32 taskId = create(params);
        submit(taskId, stranger, "a1");
        bytes memory question = abi.encodeCall(usdc.balanceOf, (address(market)));
        hook.script(CHECK, ScriptedHook.Behaviour.CallBack);
        hook.scriptCallback(address(usdc), question);
        second.script(NOTICE, ScriptedHook.Behaviour.CallBack);
        second.scriptCallback(address(usdc), question);
        accept(taskId, stranger, "a1");
        assertEq(abi.decode(hook.callbackAnswer(), (uint256)), REWARD);
        assertEq(abi.decode(second.callbackAnswer(), (uint256)), 0);
    }

    /// when a hook is asked and told: it hears of the same task and the same awards
    function test_HearsTheSameTwice() external {
        setDefault(address(standing));
        CreateTaskParams memory params = hooked(aBounty());
        bytes32 taskId = createEntered(params);
        accept(taskId, bob, "b1");
        TaskContext memory context = contextFor(taskId, params, HookState.Accepted);
        assertCompleted(taskId, context, fullApproval(bob, REWARD));
        assertEq(standing.lastHash(CHECK), hook.lastHash(CHECK));
        assertEq(standing.lastHash(NOTICE), hook.lastHash(NOTICE));
        assertEq(hook.calls(CHECK), 1);
        assertEq(hook.calls(NOTICE), 1);
    }

    /// when a hook refuses the requester's acceptance: it reverts with HookVetoed and pays nothing
    function test_RevertWhen_AnAcceptanceIsRefused() external {
        bytes32 taskId = createEntered(hooked(aBounty()));
        hook.script(CHECK, ScriptedHook.Behaviour.Refuse);
        vm.prank(requester);
        expectVeto(address(hook), CHECK);
        market.acceptSubmission(taskId, alice, "a1");
        assertUntouched(taskId, Status.Open);

        taskId = createDelivered(hooked(aClaim()));
        vm.prank(requester);
        expectVeto(address(hook), CHECK);
        market.acceptSubmission(taskId, alice, "a1");
        assertUntouched(taskId, Status.PendingApproval);
    }

    /// when a hook refuses the requester's acceptance: it reverts with HookVetoed for a split, too
    function test_RevertWhen_ASplitIsRefused() external {
        bytes32 taskId = createEntered(hooked(aBounty()));
        hook.script(CHECK, ScriptedHook.Behaviour.Refuse);
        vm.prank(requester);
        expectVeto(address(hook), CHECK);
        market.acceptSubmissions(taskId, winnersOf(alice, 5000, bob, 5000));
        assertUntouched(taskId, Status.Open);
    }

    /// when a hook refuses a verdict's payment: it pays all the same and logs HookCallFailed
    function test_OverrulesTheRefusalOfAVerdict() external {
        bytes32 taskId = createEntered(hooked(evaluated(aBounty())));
        evaluateExpired(taskId, Verdict.Partial, oneAward(bob, 1e6));
        hook.script(CHECK, ScriptedHook.Behaviour.Refuse);
        uint256 before = usdc.balanceOf(bob);
        skip(1 hours);
        expectOverruled(taskId, address(hook), CHECK);
        market.finalizeVerdict(taskId);
        assertEq(usdc.balanceOf(bob) - before, 925_000);
    }

    /// when a hook refuses a resolver's payment: it pays all the same and logs HookCallFailed
    function test_OverrulesTheRefusalOfAResolution() external {
        bytes32 taskId = createDisputed(hooked(evaluated(aClaim())));
        hook.script(CHECK, ScriptedHook.Behaviour.Refuse);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(resolver);
        expectOverruled(taskId, address(hook), CHECK);
        market.resolveDispute(taskId, Verdict.Partial, oneAward(alice, 4e6));
        // The award less the platform's part, and the stake.
        assertEq(usdc.balanceOf(alice) - before, 3_700_000 + REWARD / 10);
    }

    /// when a hook refuses what silence settled: it pays all the same and logs HookCallFailed
    function test_OverrulesTheRefusalOfSettledSilence() external {
        bytes32 taskId = createDelivered(hooked(aClaim()));
        hook.script(CHECK, ScriptedHook.Behaviour.Refuse);
        uint256 before = usdc.balanceOf(alice);
        skip(DURATION + 90 days);
        expectOverruled(taskId, address(hook), CHECK);
        market.settleStale(taskId);
        assertEq(usdc.balanceOf(alice) - before, 9_250_000 + REWARD / 10);
    }

    /// when a hook fails to take notice: it stays paid and logs HookCallFailed
    function test_PaysUnheard() external {
        bytes32 taskId = createEntered(hooked(aBounty()));
        hook.script(NOTICE, ScriptedHook.Behaviour.Revert);
        uint256 before = usdc.balanceOf(alice);
        expectOverruled(taskId, address(hook), NOTICE);
        accept(taskId, alice, "a1");
        assertEq(usdc.balanceOf(alice) - before, 9_250_000);
    }

    function createEntered(CreateTaskParams memory params) private returns (bytes32 taskId) {
        taskId = create(params);
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
    }

    function createDelivered(CreateTaskParams memory params) private returns (bytes32 taskId) {
        taskId = create(params);
        claim(taskId, alice);
        submit(taskId, alice, "a1");
    }

    function createDisputed(CreateTaskParams memory params) private returns (bytes32 taskId) {
        taskId = createDelivered(params);
        evaluate(taskId, Verdict.Reject, noAwards());
        vm.prank(alice);
        market.appeal(taskId);
    }

    function finalize(bytes32 taskId) private {
        skip(1 hours);
        market.finalizeVerdict(taskId);
    }

    function assertCompleted(bytes32 taskId, TaskContext memory context, HookVerdict memory verdict) private view {
        assertTold(hook, abi.encodeCall(ITaskHook.checkComplete, (taskId, context, verdict)));
        assertTold(hook, abi.encodeCall(ITaskHook.onComplete, (taskId, context, verdict)));
    }

    function assertUntouched(bytes32 taskId, Status status) private view {
        assertEq(uint8(market.getTask(taskId).status), uint8(status));
        assertEq(market.getTask(taskId).escrow, REWARD);
        assertEq(market.awardsHash(taskId), 0);
        assertFalse(market.entryOf(taskId, alice).awarded);
    }
}
