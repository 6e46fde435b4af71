// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, ReputationKind, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract AcceptAssignedTest is EvaluationTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createPending();
        mark();
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.acceptSubmission(taskId, alice, "a1");
    }

    /// given nothing is delivered: it reverts with WrongStatus while open and while claimed
    function test_RevertGiven_NotDelivered() external {
        bytes32 undelivered = create(aClaim());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        accept(undelivered, alice, "a1");
        claim(undelivered, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        accept(undelivered, alice, 0);
    }

    /// given nothing is delivered: it reverts with WrongStatus while a worker is selected
    function test_RevertGiven_Selected() external {
        bytes32 undelivered = create(aPitchTask());
        pitch(undelivered, alice);
        select(undelivered, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.WorkerSelected));
        accept(undelivered, alice, 0);
    }

    /// given the evaluator decides: it reverts with WrongStatus in review, while appealing and while disputed
    function test_RevertGiven_Evaluator() external {
        bytes32 review = createReview();
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        accept(review, alice, "a1");
        evaluate(review, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        accept(review, alice, "a1");
        appealBy(review, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        accept(review, alice, "a1");
    }

    /// given an evaluator of a contest: it reverts with EvaluatorDecides
    function test_RevertGiven_ContestEvaluator() external {
        bytes32 contest = createContest();
        expectError(ITaskMarket.EvaluatorDecides.selector, evaluator);
        accept(contest, alice, "a1");
        vm.warp(block.timestamp + DURATION + EVALUATION_WINDOW);
        expectError(ITaskMarket.EvaluatorDecides.selector, evaluator);
        accept(contest, alice, "a1");
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        accept(taskId, alice, "a1");
    }

    /// when another worker is named: it reverts with NoActiveSubmission
    function test_RevertWhen_AnotherWorker() external {
        expectError(ITaskMarket.NoActiveSubmission.selector, bob);
        accept(taskId, bob, "a1");
    }

    /// when another deliverable is named: it reverts with UnknownDeliverable
    function test_RevertWhen_AnotherDeliverable() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.UnknownDeliverable.selector, alice, bytes32("a2")));
        accept(taskId, alice, "a2");
    }

    /// when the delivery is named: it pays the worker, returns the stake and pays the platform
    function test_Pays() external {
        accept(taskId, alice, "a1");
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + STAKE, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// when the delivery is named: it completes the task
    function test_Completes() external {
        accept(taskId, alice, "a1");
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Completed));
        assertEq(task.escrow, 0);
        assertEq(task.stake, 0);
        assertEq(task.awardCount, 1);
        assertEq(task.worker, alice);
        assertTrue(market.entryOf(taskId, alice).awarded);
    }

    /// when the delivery is named: it logs the award, the stake and the record
    function test_Logs() external {
        expectLog();
        emit TaskCompleted(taskId, alice, 1, uint96(REWARD), uint96(netOf(REWARD)), uint96(feeOf(REWARD)), "a1", false);
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 1, false);
        accept(taskId, alice, "a1");
    }

    /// when the task has expired: it accepts all the same
    function test_AfterExpiry() external {
        vm.warp(block.timestamp + DURATION + 89 days);
        accept(taskId, alice, "a1");
        assertStands(taskId, Status.Completed);
    }

    /// when it is stale and no account settled it: it accepts all the same
    function test_WhenStale() external {
        objectTo(taskId);
        vm.warp(block.timestamp + DURATION + 365 days);
        accept(taskId, alice, "a1");
        assertStands(taskId, Status.Completed);
    }

    /// given a pitch: it pays the whole reward
    function test_PaysAPitch() external {
        bytes32 pitched = create(aPitchTask());
        pitch(pitched, bob);
        select(pitched, bob);
        submit(pitched, bob, "b1");
        mark();
        accept(pitched, bob, "b1");
        assertPaid(Gains({requester: 0, alice: 0, bob: netOf(REWARD), evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given an auction: it pays the price, of which the surplus went back before
    function test_PaysAnAuction() external {
        bytes32 auction = create(anAuction(Modes.ENGLISH));
        win(auction, 4e6);
        submit(auction, alice, "a1");
        mark();
        expectLog();
        emit TaskCompleted(auction, alice, 1, 4e6, 3.7e6, 0.3e6, "a1", false);
        // The record tells the reward that was offered.
        expectLog();
        emit RequesterReputation(auction, requester, ReputationKind.Completed, uint96(REWARD), 1, false);
        accept(auction, alice, "a1");
        assertPaid(Gains({requester: 0, alice: 3.7e6, bob: 0, evaluator: 0, platform: 0.3e6}));
    }

    /// given an auction at the least price: it pays all of it
    function test_PaysTheLeastPrice() external {
        bytes32 auction = create(anAuction(Modes.ENGLISH));
        win(auction, 1000);
        submit(auction, alice, "a1");
        mark();
        accept(auction, alice, "a1");
        assertPaid(Gains({requester: 0, alice: 925, bob: 0, evaluator: 0, platform: 75}));
    }

    /// given the requester is the worker: it flags the self award and returns the stake
    function test_FlagsTheSelfAward() external {
        bytes32 own = create(aClaim());
        claim(own, requester);
        submit(own, requester, "r1");
        mark();
        expectLog();
        emit TaskCompleted(own, requester, 1, uint96(REWARD), uint96(netOf(REWARD)), uint96(feeOf(REWARD)), "r1", true);
        expectLog();
        emit StakeReturned(own, requester, uint96(STAKE));
        expectLog();
        emit RequesterReputation(own, requester, ReputationKind.Completed, uint96(REWARD), 1, true);
        accept(own, requester, "r1");
        assertPaid(Gains({requester: netOf(REWARD) + STAKE, alice: 0, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given a stake of the whole reward: it returns all of it
    function test_ReturnsAFullStake() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 10_000;
        bytes32 staked = create(params);
        claim(staked, alice);
        submit(staked, alice, "a1");
        mark();
        accept(staked, alice, "a1");
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + REWARD, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given no stake: it returns none
    function test_ReturnsNoStake() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 0;
        bytes32 unstaked = create(params);
        claim(unstaked, alice);
        submit(unstaked, alice, "a1");
        mark();
        vm.recordLogs();
        accept(unstaked, alice, "a1");
        assertPaid(Gains({requester: 0, alice: netOf(REWARD), bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
        // Transfer and award, transfer of the fee, record.
        assertEq(vm.getRecordedLogs().length, 4);
    }

    /// given entries are paused: it accepts all the same
    function test_WhilePaused() external {
        vm.prank(owner);
        market.pause();
        accept(taskId, alice, "a1");
        assertStands(taskId, Status.Completed);
    }

    /// when any claim is accepted: it pays out exactly reward and stake
    function testFuzz_PaysExactlyRewardAndStake(uint256 reward, uint256 stakeBps, uint256 platformBps) external {
        platformBps = bound(platformBps, 0, 2000);
        vm.prank(owner);
        market.setFeeBps(uint16(platformBps));
        CreateTaskParams memory params = aClaim();
        params.reward = uint96(bound(reward, 1000, type(uint72).max / 4));
        params.stakeBps = uint16(bound(stakeBps, 0, 10_000));
        usdc.mint(requester, params.reward);
        usdc.mint(alice, params.reward);
        bytes32 id = create(params);
        uint256 stake = uint256(params.reward) * params.stakeBps / 10_000;
        uint256 before = usdc.balanceOf(alice);
        claim(id, alice);
        assertEq(usdc.balanceOf(alice), before - stake);
        assertEq(market.getTask(id).stake, stake);
        submit(id, alice, "a1");
        mark();
        accept(id, alice, "a1");
        uint256 platform = uint256(params.reward) * platformBps / 10_000;
        assertPaid(
            Gains({requester: 0, alice: params.reward - platform + stake, bob: 0, evaluator: 0, platform: platform})
        );
    }
}
