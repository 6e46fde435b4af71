// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {Status, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract FinalityTest is EvaluationTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createReview();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        market.finalizeVerdict("none");
    }

    /// given there is no verdict yet: it reverts with WrongStatus
    function test_RevertGiven_NoVerdict() external {
        bytes32 contestId = createContest();
        vm.warp(block.timestamp + 365 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        market.finalizeVerdict(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        market.finalizeVerdict(contestId);
    }

    /// given the verdict took effect: it reverts with WrongStatus
    function test_RevertGiven_Final() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        finalizeLater(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        market.finalizeVerdict(taskId);
    }

    /// given no party appealed: when the appeal deadline is a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_Appealable() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        uint256 deadline = block.timestamp + APPEAL_WINDOW;
        vm.warp(deadline - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, deadline);
        market.finalizeVerdict(taskId);
    }

    /// given no party appealed: when the appeal deadline is reached: it lets the verdict take effect
    function test_AtTheAppealDeadline() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        vm.warp(block.timestamp + APPEAL_WINDOW);
        market.finalizeVerdict(taskId);
        assertStands(taskId, Status.Completed);
    }

    /// given an appeal: when the resolver's deadline is a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_Resolvable() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        appealBy(taskId, alice);
        uint256 deadline = block.timestamp + 1 days;
        vm.warp(deadline - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, deadline);
        market.finalizeVerdict(taskId);
    }

    /// given an appeal: when the resolver's deadline is reached: it lets the evaluator's approval stand
    function test_SilentResolverOfAnApproval() external {
        evaluate(taskId, Verdict.Approve, oneAward(alice, 4e6));
        appealBy(taskId, alice);
        mark();
        finalizeLater(taskId);
        assertPaid(
            Gains({requester: PAYABLE - 4e6, alice: netOf(4e6) + STAKE, bob: 0, evaluator: 0, platform: feeOf(4e6)})
        );
        assertStands(taskId, Status.Completed);
    }

    /// given an appeal: when the resolver's deadline is reached: it lets the evaluator's rejection stand
    function test_SilentResolverOfARejection() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        appealBy(taskId, alice);
        mark();
        finalizeLater(taskId);
        assertPaid(Gains({requester: PAYABLE, alice: STAKE, bob: 0, evaluator: 0, platform: 0}));
        assertStands(taskId, Status.Cancelled);
    }

    /// given entries are paused: it lets the verdict take effect
    function test_WhilePaused() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        vm.prank(owner);
        market.pause();
        finalizeLater(taskId);
        assertStands(taskId, Status.Completed);
    }

    /// when relayed with no actor: it lets the verdict take effect
    function test_RelayedOpen() external {
        allow(address(market), ITaskMarket.finalizeVerdict.selector, 8, SuffixRule.None, "");
        evaluate(taskId, Verdict.Approve, noAwards());
        vm.warp(phaseDeadline(taskId));
        vm.prank(relayer);
        forwarder.relayOpen(nextIntent(), address(market), abi.encodeCall(market.finalizeVerdict, (taskId)));
        assertStands(taskId, Status.Completed);
    }
}
