// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {CreateTaskParams, SelectionKind, Status, TaskView, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract ForfeitAndReopenTest is MarketTest {
    uint256 internal constant STAKE = REWARD / 10;

    bytes32 internal taskId;
    uint256 internal expiry;

    function setUp() public override {
        super.setUp();
        fund(alice);
        fund(bob);
        taskId = create(aClaim());
        expiry = block.timestamp + DURATION;
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        forfeit("none");
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        claimAndExpire();
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.forfeitAndReopen(taskId);
    }

    /// when the task is of another mode: it reverts with WrongMode, which names the mode
    function test_RevertWhen_OtherMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].mode == Modes.CLAIM) continue;
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            forfeit(other);
        }
    }

    /// given no worker claimed: it reverts with WrongStatus
    function test_RevertGiven_Open() external {
        vm.warp(expiry);
        expectWrongStatus(Status.Open);
        forfeit(taskId);
    }

    /// given the worker delivered: it reverts with WrongStatus
    function test_RevertGiven_Delivered() external {
        claim(taskId, alice);
        submit(taskId, alice, "a1");
        vm.warp(expiry);
        expectWrongStatus(Status.PendingApproval);
        forfeit(taskId);
    }

    /// given the evaluator reviews: it reverts with WrongStatus
    function test_RevertGiven_Review() external {
        taskId = createAssigned(evaluated(aClaim()));
        submit(taskId, alice, "a1");
        vm.warp(expiry);
        expectWrongStatus(Status.Review);
        forfeit(taskId);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        claimAndExpire();
        market.refundExpired(taskId);
        expectWrongStatus(Status.Expired);
        forfeit(taskId);
    }

    /// when the worker still has a second: it reverts with DeadlineNotReached
    function test_RevertWhen_NotExpired() external {
        claim(taskId, alice);
        expectError(ITaskMarket.DeadlineNotReached.selector, expiry);
        forfeit(taskId);
        vm.warp(expiry - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, expiry);
        forfeit(taskId);
    }

    /// when at the expiry: it opens the task again without worker, price and stake
    function test_OpensAgain() external {
        claimAndExpire();
        forfeit(taskId);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Open));
        assertEq(task.worker, address(0));
        assertEq(task.price, 0);
        assertEq(task.stake, 0);
        assertEq(task.round, 1);
        assertEq(market.roundOf(taskId), 1);
    }

    /// when at the expiry: it leaves expiry, reward and escrow
    function test_LeavesTheTerms() external {
        claimAndExpire();
        forfeit(taskId);
        TaskView memory task = market.getTask(taskId);
        assertEq(task.expiryTime, expiry);
        assertEq(task.reward, REWARD);
        assertEq(task.escrow, REWARD);
        assertEq(task.stakeBps, 1000);
    }

    /// when at the expiry: it pays the stake to the fee recipient of today
    function test_PaysTheStake() external {
        claimAndExpire();
        vm.prank(owner);
        market.setFeeRecipient(stranger);
        uint256 before = usdc.balanceOf(alice);
        forfeit(taskId);
        assertEq(usdc.balanceOf(stranger), STAKE);
        assertEq(usdc.balanceOf(feeRecipient), 0);
        assertEq(usdc.balanceOf(alice), before);
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when at the expiry: it logs the lost stake and the new round
    function test_Logs() external {
        claimAndExpire();
        expectLog();
        emit StakeForfeited(taskId, alice, uint96(STAKE));
        expectLog();
        emit TaskReopened(taskId, 1);
        forfeit(taskId);
    }

    /// given there was no stake: it opens the task again and moves no money
    function test_MovesNoMoneyWithoutStake() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 0;
        taskId = createAssigned(params);
        vm.warp(expiry);
        uint256 held = usdc.balanceOf(address(market));
        vm.recordLogs();
        forfeit(taskId);
        assertEq(countLogs(StakeForfeited.selector), 0);
        assertEq(usdc.balanceOf(address(market)), held);
        assertEq(usdc.balanceOf(feeRecipient), 0);
        assertEq(market.roundOf(taskId), 1);
    }

    /// given the fee recipient cannot receive: it credits the stake
    function test_CreditsTheStake() external {
        claimAndExpire();
        usdc.blacklist(feeRecipient);
        expectLog();
        emit PayoutDeferred(feeRecipient, taskId, uint96(STAKE));
        expectLog();
        emit StakeForfeited(taskId, alice, uint96(STAKE));
        forfeit(taskId);
        assertEq(market.creditOf(feeRecipient), STAKE);
        assertEq(market.totalEscrow(), REWARD + STAKE);
        assertEq(usdc.balanceOf(address(market)), REWARD + STAKE);
    }

    /// given entries are paused: it opens the task again
    function test_OpensWhilePaused() external {
        claimAndExpire();
        pauseEntries();
        forfeit(taskId);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Open));
    }

    /// given the task has an evaluator: it keeps the evaluator
    function test_KeepsTheEvaluator() external {
        taskId = createAssigned(evaluated(aClaim()));
        vm.warp(expiry);
        forfeit(taskId);
        assertTrue(market.getTask(taskId).hasEvaluator);
        assertEq(market.evaluationOf(taskId).evaluator, evaluator);
    }

    /// given it was reopened: it takes no claim before an extension
    function test_RevertGiven_ReopenedButExpired() external {
        claimAndExpire();
        forfeit(taskId);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        claim(taskId, bob);
    }

    /// given it was reopened: it takes a new claim with a new stake after an extension
    function test_TakesANewClaim() external {
        claimAndExpire();
        forfeit(taskId);
        extend();
        expectLog();
        emit TaskWorkerSelected(taskId, bob, SelectionKind.Claim, uint96(REWARD), uint96(STAKE));
        claim(taskId, bob);
        submit(taskId, bob, "b1");
        uint256 before = usdc.balanceOf(bob);
        accept(taskId, bob, "b1");
        assertEq(usdc.balanceOf(bob), before + REWARD - REWARD * FEE_BPS / 10_000 + STAKE);
        assertEq(market.totalEscrow(), 0);
        assertEq(usdc.balanceOf(address(market)), 0);
    }

    /// given it was reopened: it takes the new stake from the present reward
    function test_TakesTheStakeOfThePresentReward() external {
        claimAndExpire();
        forfeit(taskId);
        extend();
        update(aRaise(taskId, 2 * REWARD));
        claim(taskId, alice);
        assertEq(market.getTask(taskId).stake, 2 * STAKE);
        assertEq(market.totalEscrow(), 2 * REWARD + 2 * STAKE);
    }

    /// given it was reopened: it counts the next round when forfeited again
    function test_CountsRounds() external {
        claimAndExpire();
        forfeit(taskId);
        extend();
        claim(taskId, bob);
        vm.warp(block.timestamp + DURATION);
        expectLog();
        emit StakeForfeited(taskId, bob, uint96(STAKE));
        expectLog();
        emit TaskReopened(taskId, 2);
        forfeit(taskId);
        assertEq(market.roundOf(taskId), 2);
        assertEq(usdc.balanceOf(feeRecipient), 2 * STAKE);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when relayed with the requester's signature: it takes the plain message in the first round
    function test_TakesThePlainMessage() external {
        allowRound();
        claimAndExpire();
        expectSuffixRefused(":0");
        relayForfeit(requesterKey, ":0");
        relayForfeit(requesterKey, "");
        assertEq(market.roundOf(taskId), 1);
    }

    /// when relayed with the requester's signature: it takes only the message bound to the round after a reopen
    function test_TakesTheBoundMessage() external {
        allowRound();
        claimAndExpire();
        forfeit(taskId);
        extend();
        claim(taskId, bob);
        vm.warp(block.timestamp + DURATION);
        expectSuffixRefused("");
        relayForfeit(requesterKey, "");
        expectSuffixRefused(":2");
        relayForfeit(requesterKey, ":2");
        relayForfeit(requesterKey, ":1");
        assertEq(market.roundOf(taskId), 2);
    }

    /// when relayed with another's signature: it reverts with NotRequester
    function test_RevertWhen_AnotherSigned() external {
        allowRound();
        claimAndExpire();
        expectError(ITaskMarket.NotRequester.selector, alice);
        relayForfeit(aliceKey, "");
    }

    /// when a claim is relayed after a reopen: it takes only the message bound to the round
    function test_BindsClaimsToTheRound() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 0;
        taskId = createAssigned(params);
        vm.warp(expiry);
        forfeit(taskId);
        extend();
        allow(address(market), ITaskMarket.claimTask.selector, 4, SuffixRule.Round, "claim");
        expectSuffixRefused("");
        relayClaim("");
        relayClaim(":1");
        assertEq(market.getTask(taskId).worker, alice);
    }

    function forfeit(bytes32 id) private {
        vm.prank(requester);
        market.forfeitAndReopen(id);
    }

    function claimAndExpire() private {
        claim(taskId, alice);
        vm.warp(expiry);
    }

    function extend() private {
        UpdateTaskParams memory params = anUpdate(taskId);
        params.expiryTime = uint40(block.timestamp) + DURATION;
        update(params);
    }

    function allowRound() private {
        allow(address(market), ITaskMarket.forfeitAndReopen.selector, 4, SuffixRule.Round, "forfeit");
    }

    function relayForfeit(uint256 signerKey, string memory suffix) private {
        relaySigned(signerKey, "forfeit", taskId, suffix, abi.encodeCall(market.forfeitAndReopen, (taskId)));
    }

    function relayClaim(string memory suffix) private {
        relaySigned(aliceKey, "claim", taskId, suffix, abi.encodeCall(market.claimTask, (taskId, 0)));
    }

    function expectSuffixRefused(string memory suffix) private {
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.InvalidSuffix.selector, suffix));
    }
}
