// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, ReputationKind, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract RefundByModeTest is EvaluationTest {
    uint40 internal expiryTime;

    function setUp() public override {
        super.setUp();
        expiryTime = uint40(block.timestamp) + DURATION;
    }

    /// given no account entered: it refunds every mode
    function test_EveryMode() external {
        bytes32[7] memory tasks = [
            create(aClaim()),
            create(aPitchTask()),
            create(aBenchmark()),
            create(anAuction(Modes.DUTCH)),
            create(anAuction(Modes.ENGLISH)),
            create(anAuction(Modes.REVERSE_DUTCH)),
            create(anAuction(Modes.REVERSE_ENGLISH))
        ];
        vm.warp(expiryTime);
        for (uint256 i; i < tasks.length; i++) {
            mark();
            expectLog();
            emit TaskExpired(tasks[i], uint96(REWARD));
            expectLog();
            emit RequesterReputation(tasks[i], requester, ReputationKind.ExpiredNoAction, uint96(REWARD), 0, false);
            market.refundExpired(tasks[i]);
            assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
            assertStands(tasks[i], Status.Expired);
        }
    }

    /// given a claim: when the expiry is a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_ClaimedInTime() external {
        bytes32 taskId = createClaimed();
        vm.warp(expiryTime - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, expiryTime);
        market.refundExpired(taskId);
    }

    /// given a claim: when it expires undelivered: it refunds the requester and forfeits the stake
    function test_ForfeitsTheStake() external {
        bytes32 taskId = createClaimed();
        vm.warp(expiryTime);
        mark();
        vm.prank(stranger);
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: STAKE}));
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Expired));
        assertEq(task.escrow, 0);
        assertEq(task.stake, 0);
        assertEq(task.worker, alice);
    }

    /// given a claim: when it expires undelivered: it logs the expiry, the stake and the record
    function test_LogsTheForfeit() external {
        bytes32 taskId = createClaimed();
        vm.warp(expiryTime);
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit StakeForfeited(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredUndelivered, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
    }

    /// given a claim: when it expires undelivered: it forfeits nothing of a claim without stake
    function test_NoStake() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 0;
        bytes32 taskId = create(params);
        claim(taskId, alice);
        vm.warp(expiryTime);
        mark();
        vm.recordLogs();
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        // Transfer, expiry, record.
        assertEq(vm.getRecordedLogs().length, 3);
    }

    /// given a claim: when it was forfeited and reopened: it refunds the reward alone
    function test_AfterAForfeit() external {
        bytes32 taskId = createClaimed();
        vm.warp(expiryTime);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredNoAction, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        assertEq(market.getTask(taskId).worker, address(0));
    }

    /// given a claim under an evaluator: when it expires undelivered: it refunds and forfeits all the same
    function test_EvaluatedClaim() external {
        bytes32 taskId = create(evaluated(aClaim()));
        claim(taskId, alice);
        vm.warp(expiryTime);
        mark();
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: STAKE}));
    }

    /// given pitches: it refunds as if no account acted
    function test_Pitches() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        vm.warp(expiryTime);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredNoAction, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a selected worker who did not deliver: it refunds and says so
    function test_Selected() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        select(taskId, alice);
        vm.warp(expiryTime);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredUndelivered, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given an auction with bids of which none was selected: it refunds the whole reward and assigns no worker
    function test_UnselectedBids() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 4e6);
        vm.warp(expiryTime);
        mark();
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredNoAction, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        TaskView memory task = market.getTask(taskId);
        assertEq(task.worker, address(0));
        assertEq(task.price, 0);
        assertEq(task.bidCount, 1);
        assertEq(market.entryOf(taskId, alice).bid, 4e6);
        (address lowest, uint256 price) = market.lowestBidOf(taskId);
        assertEq(lowest, address(0));
        assertEq(price, 0);
    }

    /// given an auction won and not delivered: it refunds the price
    function test_Won() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        win(taskId, 4e6);
        vm.warp(expiryTime);
        mark();
        expectLog();
        emit TaskExpired(taskId, 4e6);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredUndelivered, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
        assertPaid(Gains({requester: 4e6, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given proofs: it reverts with ActiveSubmissionsExist
    function test_RevertGiven_Proofs() external {
        bytes32 taskId = create(aBenchmark());
        vm.prank(alice);
        market.submitProof(taskId, "proof", "type", 1);
        vm.warp(expiryTime);
        expectError(ITaskMarket.ActiveSubmissionsExist.selector, 1);
        market.refundExpired(taskId);
    }

    /// given a contest under an evaluator: it refunds at the expiry when no account submitted
    function test_EmptyEvaluatedContest() external {
        bytes32 taskId = create(evaluated(aBounty()));
        vm.warp(expiryTime);
        mark();
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a contest under an evaluator: it reverts with ActiveSubmissionsExist when an account did
    function test_RevertGiven_EvaluatedSubmissions() external {
        bytes32 taskId = createContest();
        vm.warp(expiryTime + EVALUATION_WINDOW);
        expectError(ITaskMarket.ActiveSubmissionsExist.selector, 2);
        market.refundExpired(taskId);
    }

    /// given a delivery: it reverts with WrongStatus however late
    function test_RevertGiven_Delivered() external {
        bytes32 taskId = createPending();
        vm.warp(expiryTime + 365 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.PendingApproval));
        market.refundExpired(taskId);
    }

    /// given the evaluator decides: it reverts with WrongStatus in review, while appealing and while disputed
    function test_RevertGiven_EvaluatorFlow() external {
        bytes32 review = createReview();
        bytes32 appealing = createReview();
        evaluate(appealing, Verdict.Reject, noAwards());
        bytes32 disputed = createContest();
        evaluateExpired(disputed, Verdict.Reject, noAwards());
        appealBy(disputed, bob);
        vm.warp(expiryTime + 365 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        market.refundExpired(review);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        market.refundExpired(appealing);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        market.refundExpired(disputed);
    }

    /// given entries are paused: it refunds an undelivered claim
    function test_WhilePaused() external {
        bytes32 taskId = createClaimed();
        vm.prank(owner);
        market.pause();
        vm.warp(expiryTime);
        mark();
        market.refundExpired(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: STAKE}));
    }

    function createClaimed() private returns (bytes32 taskId) {
        taskId = create(aClaim());
        claim(taskId, alice);
    }
}
