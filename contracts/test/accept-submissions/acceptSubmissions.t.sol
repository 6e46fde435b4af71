// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../../src/interfaces/ITaskMarketEvents.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, ReputationKind, Status, TaskView, Verdict, Winner} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract AcceptSubmissionsTest is MarketTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        split("none", winnersOf(alice, 5000, bob, 5000));
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.acceptSubmissions(taskId, winnersOf(alice, 5000, bob, 5000));
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        split(taskId, winnersOf(alice, 5000, bob, 5000));
    }

    /// given one worker is assigned: it reverts with WrongMode
    function test_RevertGiven_SingleWorker() external {
        fund(alice);
        bytes32 claimed = create(aClaim());
        claim(claimed, alice);
        submit(claimed, alice, "a1");
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.WrongMode.selector, Modes.CLAIM));
        split(claimed, winnersOf(alice, 5000, bob, 5000));
    }

    /// given an evaluator is assigned: it reverts with EvaluatorDecides
    function test_RevertGiven_Evaluator() external {
        bytes32 contest = createEvaluated();
        expectError(ITaskMarket.EvaluatorDecides.selector, evaluator);
        split(contest, winnersOf(alice, 5000, bob, 5000));
        vm.warp(block.timestamp + 365 days);
        expectError(ITaskMarket.EvaluatorDecides.selector, evaluator);
        split(contest, winnersOf(alice, 5000, bob, 5000));
    }

    /// given a verdict was issued: it reverts with WrongStatus
    function test_RevertGiven_Verdict() external {
        bytes32 contest = createEvaluated();
        evaluateExpired(contest, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        split(contest, winnersOf(alice, 5000, bob, 5000));
    }

    /// when there is no winner: it reverts with NoWinners
    function test_RevertWhen_NoWinners() external {
        expectError(ITaskMarket.NoWinners.selector);
        split(taskId, new Winner[](0));
    }

    /// when there are more than 50 winners: it reverts with TooManyWinners
    function test_RevertWhen_TooManyWinners() external {
        expectError(ITaskMarket.TooManyWinners.selector, 51, 50);
        split(taskId, new Winner[](51));
    }

    /// when a winner has no active submission: it reverts with NoActiveSubmission
    function test_RevertWhen_NoActiveSubmission() external {
        reject(taskId, bob);
        expectError(ITaskMarket.NoActiveSubmission.selector, bob);
        split(taskId, winnersOf(alice, 5000, bob, 5000));
    }

    /// when a winner did not commit the deliverable: it reverts with UnknownDeliverable
    function test_RevertWhen_UnknownDeliverable() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.UnknownDeliverable.selector, bob, bytes32("a1")));
        split(taskId, winnersOf(bob, 5000, alice, 5000));
    }

    /// when a worker is named twice: it reverts with DuplicateWinner
    function test_RevertWhen_Duplicate() external {
        submit(taskId, alice, "b1");
        expectError(ITaskMarket.DuplicateWinner.selector, alice);
        split(taskId, winnersOf(alice, 5000, alice, 5000));
    }

    /// when the shares sum to less than 10000: it reverts with InvalidShares
    function test_RevertWhen_SharesTooSmall() external {
        expectError(ITaskMarket.InvalidShares.selector, 9999);
        split(taskId, winnersOf(alice, 5000, bob, 4999));
    }

    /// when the shares sum to more than 10000: it reverts with InvalidShares
    function test_RevertWhen_SharesTooLarge() external {
        expectError(ITaskMarket.InvalidShares.selector, 10_001);
        split(taskId, winnersOf(alice, 5000, bob, 5001));
        expectError(ITaskMarket.InvalidShares.selector, 2 * uint256(type(uint16).max));
        split(taskId, winnersOf(alice, type(uint16).max, bob, type(uint16).max));
    }

    /// when a share rounds to nothing: it reverts with ZeroAward
    function test_RevertWhen_ZeroAward() external {
        expectError(ITaskMarket.ZeroAward.selector, bob);
        split(taskId, winnersOf(alice, 10_000, bob, 0));
        CreateTaskParams memory params = aBounty();
        params.reward = 1000;
        bytes32 small = create(params);
        submit(small, alice, "a1");
        submit(small, bob, "b1");
        expectError(ITaskMarket.ZeroAward.selector, alice);
        split(small, winnersOf(alice, 9, bob, 9991));
    }

    /// when the split is valid: it pays each winner a share less its own fee
    function test_PaysShares() external {
        split(taskId, winnersOf(alice, 7000, bob, 3000));
        assertEq(usdc.balanceOf(alice), 7e6 - 525_000);
        assertEq(usdc.balanceOf(bob), 3e6 - 225_000);
        assertEq(usdc.balanceOf(feeRecipient), 750_000);
        assertEq(market.totalEscrow(), 0);
    }

    /// when the split is valid: it gives the remainder of the division to rank 1
    function test_RemainderToRankOne() external {
        CreateTaskParams memory params = aBounty();
        params.reward = 1001;
        bytes32 odd = create(params);
        submit(odd, alice, "a1");
        submit(odd, bob, "b1");
        // 1001 * 3333 / 10000 = 333.6, 1001 * 6667 / 10000 = 667.3: one base unit is left over.
        expectLog();
        emit TaskCompleted(odd, alice, 1, 334, 334 - 25, 25, "a1", false);
        expectLog();
        emit TaskCompleted(odd, bob, 2, 667, 667 - 50, 50, "b1", false);
        split(odd, winnersOf(alice, 3333, bob, 6667));
    }

    /// when the split is valid: it completes the task
    function test_Completes() external {
        split(taskId, winnersOf(alice, 7000, bob, 3000));
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Completed));
        assertEq(task.escrow, 0);
        assertEq(task.awardCount, 2);
        assertTrue(market.entryOf(taskId, alice).awarded);
        assertTrue(market.entryOf(taskId, bob).awarded);
    }

    /// when the split is valid: it logs each award by rank
    function test_LogsByRank() external {
        expectLog();
        emit TaskCompleted(taskId, alice, 1, 4e6, 3.7e6, 0.3e6, "a1", false);
        expectLog();
        emit TaskCompleted(taskId, bob, 2, 6e6, 5.55e6, 0.45e6, "b1", false);
        split(taskId, winnersOf(alice, 4000, bob, 6000));
    }

    /// when the split is valid: it logs the requester's record once
    function test_LogsTheRecordOnce() external {
        vm.recordLogs();
        split(taskId, winnersOf(alice, 4000, bob, 6000));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] == ITaskMarketEvents.RequesterReputation.selector) count++;
        }
        assertEq(count, 1);
    }

    /// when the requester is among the winners: it flags that award and the record
    function test_FlagsTheSelfAward() external {
        submit(taskId, requester, "b1");
        expectLog();
        emit TaskCompleted(taskId, alice, 1, 4e6, 3.7e6, 0.3e6, "a1", false);
        expectLog();
        emit TaskCompleted(taskId, requester, 2, 6e6, 5.55e6, 0.45e6, "b1", true);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 3, true);
        split(taskId, winnersOf(alice, 4000, requester, 6000));
    }

    /// when one winner takes all: it pays like a single acceptance
    function test_PaysOneAll() external {
        Winner[] memory winners = new Winner[](1);
        winners[0] = Winner(alice, 10_000, "a1");
        expectLog();
        emit TaskCompleted(taskId, alice, 1, 10e6, 9.25e6, 0.75e6, "a1", false);
        split(taskId, winners);
        assertEq(usdc.balanceOf(alice), 9.25e6);
    }

    /// when there are 50 winners: it pays all of them
    function test_PaysFifty() external {
        Winner[] memory winners = fillWinners(taskId, 50);
        for (uint256 i; i < 50; i++) {
            winners[i].shareBps = 200;
        }
        split(taskId, winners);
        for (uint256 i; i < 50; i++) {
            assertEq(usdc.balanceOf(winners[i].worker), 0.185e6);
        }
        assertEq(market.getTask(taskId).awardCount, 50);
    }

    /// given a benchmark: it pays shares for proofs
    function test_PaysABenchmark() external {
        bytes32 benchmark = create(aBenchmark());
        vm.prank(alice);
        market.submitProof(benchmark, "a1", "type", 1);
        vm.prank(bob);
        market.submitProof(benchmark, "b1", "type", 2);
        split(benchmark, winnersOf(alice, 7000, bob, 3000));
        assertEq(usdc.balanceOf(alice), 6.475e6);
        assertEq(usdc.balanceOf(bob), 2.775e6);
    }

    /// given one winner cannot receive: it credits that one and pays the others
    function test_CreditsABlockedWinner() external {
        usdc.blacklist(alice);
        split(taskId, winnersOf(alice, 7000, bob, 3000));
        assertEq(market.creditOf(alice), 6.475e6);
        assertEq(usdc.balanceOf(bob), 2.775e6);
        assertEq(market.totalEscrow(), 6.475e6);
        assertEq(usdc.balanceOf(address(market)), 6.475e6);
    }

    /// when any split of any reward is accepted: it pays out exactly the reward
    function testFuzz_PaysExactlyTheReward(uint256 reward, uint256 count, uint256 seed, uint16 fee) external {
        fee = uint16(bound(fee, 0, 2000));
        vm.prank(owner);
        market.setFeeBps(fee);
        CreateTaskParams memory params = aBounty();
        params.reward = uint96(bound(reward, 10_000, type(uint72).max / 2));
        usdc.mint(requester, params.reward);
        bytes32 id = create(params);
        Winner[] memory winners = fillWinners(id, bound(count, 1, 50));
        drawShares(winners, seed);

        uint256 marketBefore = usdc.balanceOf(address(market));
        split(id, winners);
        assertEq(usdc.balanceOf(address(market)), marketBefore - params.reward);

        uint256 grossSum;
        uint256 feeSum;
        for (uint256 i; i < winners.length; i++) {
            uint256 gross = uint256(params.reward) * winners[i].shareBps / 10_000;
            grossSum += gross;
            uint256 platformFee = gross * fee / 10_000;
            // Rank 1 also has what the division leaves, which is less than one unit for each winner.
            if (i > 0) assertEq(usdc.balanceOf(winners[i].worker), gross - platformFee);
            if (i > 0) feeSum += platformFee;
        }
        uint256 first = uint256(params.reward) * winners[0].shareBps / 10_000 + params.reward - grossSum;
        assertLt(params.reward - grossSum, winners.length);
        assertEq(usdc.balanceOf(winners[0].worker), first - first * fee / 10_000);
        assertEq(usdc.balanceOf(feeRecipient), feeSum + first * fee / 10_000);
    }

    function createEvaluated() private returns (bytes32 contest) {
        contest = create(evaluated(aBounty()));
        submit(contest, alice, "a1");
        submit(contest, bob, "b1");
    }

    /// @dev `count` fresh workers with one submission each.
    function fillWinners(bytes32 id, uint256 count) private returns (Winner[] memory winners) {
        winners = new Winner[](count);
        for (uint256 i; i < count; i++) {
            address worker = address(uint160(0x1000 + i));
            submit(id, worker, "w");
            winners[i] = Winner(worker, 0, "w");
        }
    }

    /// @dev Random shares of at least one basis point that sum to 10000.
    function drawShares(Winner[] memory winners, uint256 seed) private pure {
        uint256 left = 10_000;
        for (uint256 i; i + 1 < winners.length; i++) {
            uint256 most = left - (winners.length - 1 - i);
            winners[i].shareBps = uint16(1 + uint256(keccak256(abi.encode(seed, i))) % most);
            left -= winners[i].shareBps;
        }
        winners[winners.length - 1].shareBps = uint16(left);
    }
}
