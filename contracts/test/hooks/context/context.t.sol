// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Status, Verdict} from "../../../src/types/TaskTypes.sol";
import {Paths} from "../support/Paths.sol";
import {ComparingHook} from "../support/ComparingHook.sol";

contract ContextTest is Paths {
    /// when the hook ABI is asked for its id: it is the one of ERC-8195
    function test_HasTheStandardsId() external pure {
        assertEq(type(ITaskHook).interfaceId, bytes4(0x2187b4de));
    }

    /// when states are numbered: it numbers the seven of ERC-8195 and then the evaluator flow's
    function test_NumbersStates() external pure {
        assertEq(uint8(HookState.Open), 0);
        assertEq(uint8(HookState.Claimed), 1);
        assertEq(uint8(HookState.WorkerSelected), 2);
        assertEq(uint8(HookState.PendingApproval), 3);
        assertEq(uint8(HookState.Accepted), 4);
        assertEq(uint8(HookState.Expired), 5);
        assertEq(uint8(HookState.Cancelled), 6);
        assertEq(uint8(HookState.Review), 7);
        assertEq(uint8(HookState.Appealing), 8);
        assertEq(uint8(HookState.Disputed), 9);
    }

    /// given a task in each status: it reads as the state of that number
    function test_ReadsEachState() external {
        bytes32 taskId = create(evaluated(aClaim()));
        assertState(taskId, Status.Open, 0);
        claim(taskId, alice);
        assertState(taskId, Status.Claimed, 1);
        submit(taskId, alice, "a1");
        assertState(taskId, Status.Review, 7);
        evaluate(taskId, Verdict.Approve, noAwards());
        assertState(taskId, Status.Appealing, 8);
        vm.prank(alice);
        market.appeal(taskId);
        assertState(taskId, Status.Disputed, 9);
        skip(1 days);
        market.finalizeVerdict(taskId);
        assertState(taskId, Status.Completed, 4);

        taskId = create(aPitchTask());
        pitch(taskId, alice);
        select(taskId, alice);
        assertState(taskId, Status.WorkerSelected, 2);
        submit(taskId, alice, "a1");
        assertState(taskId, Status.PendingApproval, 3);
        taskId = createBounty();
        skip(DURATION);
        market.refundExpired(taskId);
        assertState(taskId, Status.Expired, 5);
        taskId = createBounty();
        cancel(taskId);
        assertState(taskId, Status.Cancelled, 6);
    }

    /// given a task that does not exist: it reads as an open task of the zero address
    function test_ReadsNothing() external view {
        TaskContext memory context = market.contextOf("nothing");
        assertEq(context.requester, address(0));
        assertEq(context.reward, 0);
        assertEq(context.submissionDeadline, 0);
        assertEq(uint8(context.currentState), uint8(HookState.Open));
    }

    /// given an open auction with bids: it reads the reward
    function test_ReadsTheRewardOfAnOpenAuction() external {
        bytes32 taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, alice, 6e6);
        assertEq(market.contextOf(taskId).reward, REWARD);
        skip(DURATION / 2);
        market.selectLowestBidder(taskId);
        assertEq(market.contextOf(taskId).reward, 6e6);
    }

    /// given an evaluator who was too late: it reads no evaluator
    function test_ReadsNoLateEvaluator() external {
        bytes32 taskId = create(evaluated(aClaim()));
        claim(taskId, alice);
        submit(taskId, alice, "a1");
        assertEq(market.contextOf(taskId).evaluator, evaluator);
        skip(2 hours);
        vm.prank(requester);
        market.evaluatorTimeout(taskId);
        TaskContext memory context = market.contextOf(taskId);
        assertEq(context.evaluator, address(0));
        assertEq(context.disputeResolver, address(0));
        assertEq(context.evaluatorFeeBps + context.evaluationWindow + context.appealWindow, 0);
    }

    /// given any life of a task: it equals what hooks are told at every step
    function test_EqualsWhatHooksAreTold() external {
        ComparingHook comparing = new ComparingHook();
        attached = asList(address(comparing));
        vm.recordLogs();
        for (uint256 i; i <= uint256(type(Path).max); i++) {
            walk(Path(i));
        }
        bytes4[10] memory steps = [
            ITaskHook.checkFund.selector,
            ITaskHook.checkClaim.selector,
            ITaskHook.checkSelectWorker.selector,
            ITaskHook.checkSubmit.selector,
            ITaskHook.checkEvaluate.selector,
            ITaskHook.checkComplete.selector,
            ITaskHook.onComplete.selector,
            ITaskHook.onForfeit.selector,
            ITaskHook.onCancel.selector,
            ITaskHook.onExpire.selector
        ];
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < steps.length; i++) {
            assertGt(comparing.heard(steps[i]), 0, "a step was never seen");
            assertEq(comparing.differences(steps[i]), 0, "told something else");
            assertEq(countFailures(logs, address(comparing), steps[i]), 0, "the hook failed");
        }
    }

    function act(address actor, bytes memory data, bool) internal override {
        vm.prank(actor);
        (bool ok,) = address(market).call(data);
        assertTrue(ok);
    }

    function assertState(bytes32 taskId, Status status, uint8 state) private view {
        assertEq(uint8(market.getTask(taskId).status), uint8(status));
        assertEq(uint8(market.contextOf(taskId).currentState), state);
    }
}
