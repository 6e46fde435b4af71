// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CancelReason, ReputationKind, Status, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract CancelByModeTest is EvaluationTest {
    /// given no account entered: it returns the escrow of every mode
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
        for (uint256 i; i < tasks.length; i++) {
            mark();
            expectLog();
            emit TaskCancelled(tasks[i], uint96(REWARD), CancelReason.Requester);
            expectLog();
            emit RequesterReputation(tasks[i], requester, ReputationKind.Cancelled, uint96(REWARD), 0, false);
            cancel(tasks[i]);
            assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
            assertStands(tasks[i], Status.Cancelled);
        }
    }

    /// given a claim: it reverts with WrongStatus while claimed and while delivered
    function test_RevertGiven_Claimed() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        cancel(taskId);
        submit(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.PendingApproval));
        cancel(taskId);
    }

    /// given a claim was forfeited: it returns the reward alone
    function test_AfterAForfeit() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        vm.warp(block.timestamp + DURATION);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        mark();
        expectLog();
        emit TaskCancelled(taskId, uint96(REWARD), CancelReason.Requester);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Cancelled, uint96(REWARD), 0, false);
        cancel(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given pitches: it returns the escrow
    function test_WithPitches() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        pitch(taskId, bob);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Cancelled, uint96(REWARD), 0, false);
        cancel(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a worker was selected: it reverts with WrongStatus
    function test_RevertGiven_Selected() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        select(taskId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.WorkerSelected));
        cancel(taskId);
    }

    /// given bids: it reverts with BidsExist, each lowering counted
    function test_RevertGiven_Bids() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 5e6);
        expectError(ITaskMarket.BidsExist.selector, 1);
        cancel(taskId);
        bid(taskId, alice, 4e6);
        expectError(ITaskMarket.BidsExist.selector, 2);
        cancel(taskId);
    }

    /// given bids: it reverts with BidsExist after the expiry, too
    function test_RevertGiven_BidsAfterExpiry() external {
        bytes32 taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, alice, 5e6);
        vm.warp(block.timestamp + DURATION);
        expectError(ITaskMarket.BidsExist.selector, 1);
        cancel(taskId);
    }

    /// given an auction was won: it reverts with WrongStatus
    function test_RevertGiven_Won() external {
        bytes32 taskId = create(anAuction(Modes.REVERSE_DUTCH));
        vm.prank(alice);
        market.acceptAuction(taskId, 0);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        cancel(taskId);
    }

    /// given proofs: it reverts with ActiveSubmissionsExist
    function test_RevertGiven_Proofs() external {
        bytes32 taskId = create(aBenchmark());
        vm.prank(alice);
        market.submitProof(taskId, "proof", "type", 1);
        expectError(ITaskMarket.ActiveSubmissionsExist.selector, 1);
        cancel(taskId);
    }

    /// given rejected proofs: it logs a cancellation after submissions
    function test_AfterRejectedProofs() external {
        bytes32 taskId = create(aBenchmark());
        vm.prank(alice);
        market.submitProof(taskId, "proof", "type", 1);
        reject(taskId, alice);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.CancelledAfterSubmissions, uint96(REWARD), 1, false);
        cancel(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given an evaluator: it returns the escrow while no account entered
    function test_WithAnEvaluator() external {
        bytes32 taskId = create(evaluated(aBounty()));
        mark();
        cancel(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given an evaluator: it reverts with ActiveSubmissionsExist once an account submitted
    function test_RevertGiven_EvaluatedSubmissions() external {
        bytes32 taskId = createContest();
        expectError(ITaskMarket.ActiveSubmissionsExist.selector, 2);
        cancel(taskId);
    }

    /// given an evaluator: it reverts with WrongStatus in review, while appealing and while disputed
    function test_RevertGiven_EvaluatorFlow() external {
        bytes32 taskId = createReview();
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        cancel(taskId);
        evaluate(taskId, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        cancel(taskId);
        appealBy(taskId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        cancel(taskId);
    }
}
