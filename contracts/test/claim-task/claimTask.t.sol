// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {
    CreateTaskParams,
    EntryView,
    SelectionKind,
    Status,
    TaskView,
    UpdateTaskParams
} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract ClaimTaskTest is MarketTest {
    uint256 internal constant STAKE = REWARD / 10;

    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        fund(alice);
        taskId = create(aClaim());
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        claim("none", alice);
    }

    /// when the task is of another mode: it reverts with WrongMode, which names the mode
    function test_RevertWhen_OtherMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].mode == Modes.CLAIM) continue;
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            claim(other, alice);
        }
    }

    /// given the task is claimed: it reverts with WrongStatus for every account
    function test_RevertGiven_Claimed() external {
        claim(taskId, alice);
        expectWrongStatus(Status.Claimed);
        claim(taskId, bob);
        expectWrongStatus(Status.Claimed);
        claim(taskId, alice);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectWrongStatus(Status.Cancelled);
        claim(taskId, alice);
    }

    /// given entries are paused: it reverts with EntriesPaused
    function test_RevertGiven_Paused() external {
        pauseEntries();
        expectError(ITaskMarket.EntriesPaused.selector);
        claim(taskId, alice);
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        uint256 expiry = block.timestamp + DURATION;
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        claim(taskId, alice);
        vm.warp(expiry + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        claim(taskId, alice);
    }

    /// when in the last second before expiry: it accepts the claim
    function test_AcceptsInTheLastSecond() external {
        vm.warp(block.timestamp + DURATION - 1);
        claim(taskId, alice);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when the evaluator or the resolver claims: it reverts with CannotEnter
    function test_RevertWhen_JudgeClaims() external {
        bytes32 judged = create(evaluated(aClaim()));
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        claim(judged, evaluator);
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        claim(judged, resolver);
        claim(judged, alice);
        assertEq(market.getTask(judged).worker, alice);
    }

    /// when the terms are not those the worker agreed to: it reverts with TaskTermsMismatch
    function test_RevertWhen_TermsChanged() external {
        bytes32 agreed = market.taskTermsHash(taskId);
        UpdateTaskParams memory params = anUpdate(taskId);
        (params.reward, params.expiryTime) = (uint96(2 * REWARD), uint40(block.timestamp) + 1);
        update(params);
        bytes32 present = market.taskTermsHash(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskTermsMismatch.selector, agreed, present));
        vm.prank(alice);
        market.claimTask(taskId, agreed);
    }

    /// when the terms are those the worker agreed to: it assigns the worker
    function test_AcceptsAgreedTerms() external {
        bytes32 agreed = market.taskTermsHash(taskId);
        vm.prank(alice);
        market.claimTask(taskId, agreed);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when the worker has not enough money for the stake: it reverts as USDC does
    function test_RevertWhen_NotEnoughMoney() external {
        usdc.mint(bob, STAKE - 1);
        vm.prank(bob);
        usdc.approve(address(market), STAKE);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        claim(taskId, bob);
    }

    /// when the worker did not let the market take the stake: it reverts as USDC does
    function test_RevertWhen_NotApproved() external {
        usdc.mint(bob, STAKE);
        vm.prank(bob);
        usdc.approve(address(market), STAKE - 1);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        claim(taskId, bob);
    }

    /// given the market cannot hold the stake: it reverts with AmountTooLarge
    function test_RevertGiven_MarketFull() external {
        usdc.mint(requester, type(uint72).max);
        CreateTaskParams memory rest = aBounty();
        rest.reward = uint96(type(uint72).max - REWARD - STAKE + 1);
        create(rest);
        expectError(ITaskMarket.AmountTooLarge.selector, STAKE, type(uint72).max);
        claim(taskId, alice);
    }

    /// when no stake is required: it assigns the worker
    function test_AssignsWithoutStake() external {
        taskId = createWithStake(REWARD, 0);
        claim(taskId, bob);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Claimed));
        assertEq(task.worker, bob);
        assertEq(task.price, REWARD);
        assertEq(task.stake, 0);
    }

    /// when no stake is required: it moves no money
    function test_MovesNoMoneyWithoutStake() external {
        taskId = createWithStake(REWARD, 0);
        (uint256 held, uint256 owed) = (usdc.balanceOf(address(market)), market.totalEscrow());
        claim(taskId, bob);
        assertEq(usdc.balanceOf(address(market)), held);
        assertEq(market.totalEscrow(), owed);
        assertEq(market.getTask(taskId).escrow, REWARD);
    }

    /// when no stake is required: it logs the assignment without stake
    function test_LogsWithoutStake() external {
        taskId = createWithStake(REWARD, 0);
        expectLog();
        emit TaskWorkerSelected(taskId, bob, SelectionKind.Claim, uint96(REWARD), 0);
        claim(taskId, bob);
    }

    /// when a stake is required: it takes the stake beside the escrow
    function test_TakesTheStake() external {
        uint256 before = usdc.balanceOf(alice);
        claim(taskId, alice);
        assertEq(usdc.balanceOf(alice), before - STAKE);
        assertEq(usdc.balanceOf(address(market)), REWARD + STAKE);
        assertEq(market.totalEscrow(), REWARD + STAKE);
        assertEq(market.getTask(taskId).escrow, REWARD);
        assertEq(market.getTask(taskId).stake, STAKE);
        assertEq(market.getTask(taskId).price, REWARD);
    }

    /// when a stake is required: it logs the assignment with the stake
    function test_LogsTheStake() external {
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.Claim, uint96(REWARD), uint96(STAKE));
        claim(taskId, alice);
    }

    /// when the stake does not divide evenly: it rounds down
    function test_RoundsDown() external {
        taskId = createWithStake(1_000_001, 1234);
        claim(taskId, alice);
        // 1 000 001 * 1234 / 10 000 = 123 400.1234
        assertEq(market.getTask(taskId).stake, 123_400);
        assertEq(market.totalEscrow(), REWARD + 1_000_001 + 123_400);
    }

    /// when any stake is required of any reward: it takes the part of it, rounded down
    function testFuzz_TakesThePart(uint256 reward, uint16 stakeBps) external {
        (reward, stakeBps) = (bound(reward, 1000, 900_000e6), uint16(bound(stakeBps, 0, 10_000)));
        taskId = createWithStake(reward, stakeBps);
        uint256 before = usdc.balanceOf(alice);
        claim(taskId, alice);
        uint256 stake = before - usdc.balanceOf(alice);
        assertLe(stake * 10_000, reward * stakeBps);
        assertGt((stake + 1) * 10_000, reward * stakeBps);
        assertEq(market.getTask(taskId).stake, stake);
        assertEq(market.totalEscrow(), REWARD + reward + stake);
        assertEq(usdc.balanceOf(address(market)), REWARD + reward + stake);
    }

    /// when the stake rounds to nothing: it assigns without taking money
    function test_TakesNothing() external {
        taskId = createWithStake(9999, 1);
        expectLog();
        emit TaskWorkerSelected(taskId, bob, SelectionKind.Claim, 9999, 0);
        claim(taskId, bob);
        assertEq(market.getTask(taskId).stake, 0);
        assertEq(market.totalEscrow(), REWARD + 9999);
    }

    /// when the stake is the whole reward: it takes as much again
    function test_TakesTheWhole() external {
        taskId = createWithStake(REWARD, 10_000);
        claim(taskId, alice);
        assertEq(market.getTask(taskId).stake, REWARD);
        assertEq(usdc.balanceOf(address(market)), 3 * REWARD);
        assertEq(market.totalEscrow(), 3 * REWARD);
    }

    /// given the reward was raised: it takes price and stake from the present reward
    function test_UsesThePresentReward() external {
        update(aRaise(taskId, 2 * REWARD));
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.Claim, uint96(2 * REWARD), uint96(2 * STAKE));
        claim(taskId, alice);
        assertEq(market.getTask(taskId).price, 2 * REWARD);
        assertEq(market.totalEscrow(), 2 * REWARD + 2 * STAKE);
    }

    /// when the requester claims: it accepts the claim
    function test_AcceptsTheRequester() external {
        claim(taskId, requester);
        assertEq(market.getTask(taskId).worker, requester);
    }

    /// when claimed: it leaves no entry beside the task
    function test_LeavesNoEntry() external {
        claim(taskId, alice);
        EntryView memory none;
        assertEq(abi.encode(market.entryOf(taskId, alice)), abi.encode(none));
    }

    /// when relayed with the worker's signature: it assigns the signer
    function test_AssignsTheSigner() external {
        taskId = createWithStake(REWARD, 0);
        allowSigned();
        relaySigned(bobKey, "claim", taskId, "", abi.encodeCall(market.claimTask, (taskId, 0)));
        assertEq(market.getTask(taskId).worker, bob);
    }

    /// when relayed with the worker's signature: it reverts as USDC does when a stake is required
    function test_RevertWhen_SignedButStaked() external {
        allowSigned();
        usdc.mint(address(forwarder), STAKE);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        relaySigned(aliceKey, "claim", taskId, "", abi.encodeCall(market.claimTask, (taskId, 0)));
    }

    /// when relayed with the worker's payment: it takes the stake from the payment
    function test_TakesTheStakeFromThePayment() external {
        allowPaid(ITaskMarket.claimTask.selector);
        uint256 before = usdc.balanceOf(alice);
        this.relayClaim(STAKE);
        assertEq(market.getTask(taskId).worker, alice);
        assertEq(market.getTask(taskId).stake, STAKE);
        assertEq(usdc.balanceOf(alice), before - STAKE);
        assertEq(usdc.balanceOf(address(forwarder)), 0);
        assertEq(forwarder.fees(), 0);
        assertEq(market.totalEscrow(), REWARD + STAKE);
    }

    /// when relayed with the worker's payment: it reverts as USDC does when the payment is less than the stake
    function test_RevertWhen_PaymentTooSmall() external {
        allowPaid(ITaskMarket.claimTask.selector);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        this.relayClaim(STAKE - 1);
    }

    /// when relayed with the worker's payment: it reverts with EscrowMismatch when the payment is more than the stake
    function test_RevertWhen_PaymentTooLarge() external {
        allowPaid(ITaskMarket.claimTask.selector);
        expectError(IPaymentForwarder.EscrowMismatch.selector, STAKE + 1, STAKE);
        this.relayClaim(STAKE + 1);
    }

    /// when relayed with the worker's payment: it refuses a judge by the payer
    function test_RevertWhen_JudgePays() external {
        allowPaid(ITaskMarket.claimTask.selector);
        CreateTaskParams memory params = evaluated(aClaim());
        params.evaluation.evaluator = alice;
        taskId = create(params);
        expectError(ITaskMarket.CannotEnter.selector, alice);
        this.relayClaim(STAKE);
    }

    function relayClaim(uint256 payment) external {
        relayPaid(aliceKey, payment, payment, abi.encodeCall(market.claimTask, (taskId, 0)));
    }

    function createWithStake(uint256 reward, uint16 stakeBps) private returns (bytes32) {
        CreateTaskParams memory params = aClaim();
        (params.reward, params.stakeBps) = (uint96(reward), stakeBps);
        return create(params);
    }

    function allowSigned() private {
        allow(address(market), ITaskMarket.claimTask.selector, 4, SuffixRule.Round, "claim");
    }
}
