// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusLock, BonusRole, SkipReason} from "../../../src/interfaces/IBonusHook.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, UpdateTaskParams} from "../../../src/types/TaskTypes.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract AssignmentTest is BonusTest {
    event BonusLocked(
        bytes32 indexed taskId,
        address indexed worker,
        uint256 round,
        uint256 price,
        uint256 usdValue,
        uint256 tokenPerUsdc,
        uint256 workerSplitBps
    );

    /// when a task is claimed: it locks rate, value and division for the price
    function test_LocksAClaim() external {
        bytes32 taskId = create(aClaim());
        vm.expectEmit(address(bonus));
        emit BonusLocked(taskId, alice, 0, REWARD, USD, RATE, SPLIT_BPS);
        claim(taskId, alice);
        assertLocked(taskId, REWARD);
    }

    /// when a pitch is selected: it locks them
    function test_LocksASelection() external {
        assertLocked(createAssigned(aPitchTask()), REWARD);
    }

    /// when the lowest bidder is selected: it locks them for the bid
    function test_LocksABid() external {
        assertLocked(createAssigned(anAuction(Modes.ENGLISH)), REWARD / 2);
    }

    /// when a clock price is accepted: it locks them for that price
    function test_LocksAClockPrice() external {
        assertLocked(createAssigned(anAuction(Modes.REVERSE_DUTCH)), REWARD / 4);
    }

    /// when settings change after the assignment: it credits by the locked values
    function test_CreditsByTheLock() external {
        bytes32 taskId = createAssigned(aClaim());
        setRate(7e18);
        vm.startPrank(owner);
        bonus.setBonusBps(100);
        bonus.setWorkerSplit(100);
        vm.stopPrank();
        finish(taskId);
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when settings change after the assignment: it counts at most twice the present rate
    function test_BoundsALockedRate() external {
        bytes32 taskId = createAssigned(aClaim());
        setRate(1e18);
        finish(taskId);
        assertClaimable(WORKER_TOKENS / 5, REQUESTER_TOKENS / 5);
    }

    /// when there is no rate at the completion: it credits nothing for a locked rate
    function test_CreditsNothingWithoutAPresentRate() external {
        bytes32 taskId = createAssigned(aClaim());
        setRate(0);
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Award, SkipReason.NoRate);
        accept(taskId, alice, "a1");
        assertClaimable(0, 0);
    }

    /// when there is no rate at the assignment: it credits nothing for a later rate
    function test_CreditsNothingWithoutALockedRate() external {
        setRate(0);
        bytes32 taskId = createAssigned(aClaim());
        setRate(RATE);
        finish(taskId);
        assertClaimable(0, 0);
    }

    /// when a forfeited task is claimed again: it replaces the lock
    function test_ReplacesTheLock() external {
        bytes32 taskId = createForfeited();
        setRate(3e18);
        claim(taskId, alice);
        BonusLock memory lock = bonus.lockOf(taskId);
        assertEq(lock.tokenPerUsdc, 3e18);
        assertEq(lock.round, 1);
        finish(taskId);
        assertClaimable(1.8e18, 0.45e18);
    }

    /// when the assignment could not be recorded: it credits nothing
    function test_CreditsNothingWithoutALock() external {
        bytes32 taskId = create(aClaim());
        breakSteps();
        expectFailure(taskId, ITaskHook.checkClaim.selector);
        claim(taskId, alice);
        vm.clearMockedCalls();
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Award, SkipReason.NoLock);
        accept(taskId, alice, "a1");
        assertClaimable(0, 0);
    }

    /// when the assignment could not be recorded: it does not use the lock of an earlier round
    function test_ForgetsAnEarlierLock() external {
        bytes32 taskId = createForfeited();
        breakSteps();
        claim(taskId, alice);
        vm.clearMockedCalls();
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Award, SkipReason.NoLock);
        accept(taskId, alice, "a1");
        assertClaimable(0, 0);
    }

    /// when the task is a contest: it locks nothing and credits by the values of the completion
    function test_CreditsAContestByTheCompletion() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        setRate(20e18);
        accept(taskId, alice, "a1");
        assertEq(bonus.lockOf(taskId).price, 0);
        assertClaimable(2 * WORKER_TOKENS, 2 * REQUESTER_TOKENS);
    }

    /// @dev A claim that bob let expire, open again.
    function createForfeited() private returns (bytes32 taskId) {
        CreateTaskParams memory params = aClaim();
        taskId = create(params);
        claim(taskId, bob);
        skip(params.duration);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        UpdateTaskParams memory extension = anUpdate(taskId);
        extension.expiryTime = uint40(block.timestamp + params.duration);
        update(extension);
    }

    /// @dev The first view that every step asks fails.
    function breakSteps() private {
        vm.mockCallRevert(address(market), abi.encodeWithSelector(market.roundOf.selector), "broken");
    }

    function expectFailure(bytes32 taskId, bytes4 step) private {
        vm.expectEmit(address(bonus));
        emit BonusFailed(taskId, step);
    }

    function assertLocked(bytes32 taskId, uint256 price) private view {
        BonusLock memory lock = bonus.lockOf(taskId);
        assertEq(lock.price, price);
        assertEq(lock.tokenPerUsdc, RATE);
        assertEq(lock.bonusBps, BONUS_BPS);
        assertEq(lock.workerSplitBps, SPLIT_BPS);
        assertEq(lock.round, 0);
    }
}
