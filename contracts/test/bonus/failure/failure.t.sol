// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBonusHook} from "../../../src/interfaces/IBonusHook.sol";
import {HookAward, HookState, HookVerdict, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Status} from "../../../src/types/TaskTypes.sol";
import {BonusTest} from "../support/BonusTest.sol";
import {HostileToken} from "../../support/HostileToken.sol";

contract FailureTest is BonusTest {
    /// when any account but the market calls a hook function: it agrees and records nothing
    function test_IgnoresOtherCallers() external {
        bytes32 taskId = createBounty();
        TaskContext memory context;
        (context.requester, context.reward, context.currentState) = (bob, REWARD, HookState.Claimed);
        HookVerdict memory verdict;
        verdict.awards = new HookAward[](1);
        verdict.awards[0] = HookAward(alice, REWARD, 1);
        vm.startPrank(bob);
        assertTrue(bonus.checkFund(taskId, context, ""));
        assertTrue(bonus.checkClaim(taskId, context, bob));
        assertTrue(bonus.checkSelectWorker(taskId, context, bob));
        assertTrue(bonus.checkSubmit(taskId, context, bob, "b1"));
        assertTrue(bonus.checkEvaluate(taskId, context, bob));
        assertTrue(bonus.checkComplete(taskId, context, verdict));
        bonus.onComplete(taskId, context, verdict);
        bonus.onForfeit(taskId, context, bob);
        bonus.onCancel(taskId, context);
        bonus.onExpire(taskId, context);
        assertClaimable(0, 0);
        assertEq(bonus.accountOf(bob).firstSeen, 0);
        assertEq(bonus.lockOf(taskId).price, 0);
    }

    /// when any account calls a step: it reverts with OnlySelf
    function test_RevertWhen_AStepIsCalled() external {
        bytes32 taskId = createBounty();
        HookAward[] memory awards = new HookAward[](1);
        awards[0] = HookAward(bob, REWARD, 1);
        address[2] memory callers = [bob, address(market)];
        for (uint256 i; i < callers.length; i++) {
            vm.startPrank(callers[i]);
            expectError(IBonusHook.OnlySelf.selector, callers[i]);
            bonus.recordEntry(taskId, bob);
            expectError(IBonusHook.OnlySelf.selector, callers[i]);
            bonus.recordAssignment(taskId, bob, REWARD);
            expectError(IBonusHook.OnlySelf.selector, callers[i]);
            bonus.recordCompletion(taskId, requester, true, awards);
            vm.stopPrank();
        }
    }

    /// when a step of any mode fails: it logs BonusFailed and the task ends as without a programme
    function test_EndsEveryModeAllTheSame() external {
        vm.mockCallRevert(address(market), abi.encodeWithSelector(market.hooksOf.selector), "broken");
        CreateTaskParams[8] memory tasks = oneOfEach();
        for (uint256 i; i < tasks.length; i++) {
            uint256 paidBefore = usdc.balanceOf(alice);
            bytes32 taskId = market.nextTaskId(requester);
            vm.expectEmit(address(bonus));
            emit BonusFailed(taskId, ITaskHook.checkFund.selector);
            bool isContest = tasks[i].mode == Modes.BOUNTY || tasks[i].mode == Modes.BENCHMARK;
            if (isContest) create(tasks[i]);
            else createAssigned(tasks[i]);
            // `createAssigned` mints what a stake may need.
            if (tasks[i].mode == Modes.CLAIM) paidBefore += 1_000_000e6;
            uint256 price = isContest ? REWARD : market.getTask(taskId).price;
            submit(taskId, alice, "a1");
            vm.expectEmit(address(bonus));
            emit BonusFailed(taskId, ITaskHook.onComplete.selector);
            accept(taskId, alice, "a1");
            assertEq(uint8(market.getTask(taskId).status), uint8(Status.Completed));
            // A stake is taken and returned meanwhile.
            assertEq(usdc.balanceOf(alice) - paidBefore, price - price * FEE_BPS / 10_000);
        }
        assertEq(market.totalEscrow(), 0);
        assertClaimable(0, 0);
    }

    /// when the token cannot be read: it credits nothing and the task is paid
    function test_PaysWithoutAReadableToken() external {
        assertPaidWith(HostileToken.Behaviour.RevertBalances);
    }

    /// when the token burns all gas: it credits nothing and the task is paid
    function test_PaysWithATokenThatBurnsGas() external {
        assertPaidWith(HostileToken.Behaviour.BurnBalances);
    }

    /// when the market cannot be asked: it credits nothing and the task is paid
    function test_PaysWithoutAnAnswerOfTheMarket() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        vm.mockCallRevert(address(market), abi.encodeWithSelector(market.getTask.selector), "broken");
        assertPaid(taskId);
    }

    /// when the time does not fit its record: it credits nothing and the task is paid
    function test_PaysInTheFarFuture() external {
        vm.warp(uint256(type(uint32).max) + 1);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        assertPaid(taskId);
    }

    function assertPaidWith(HostileToken.Behaviour behaviour) private {
        HostileToken hostile = new HostileToken();
        bonus = deployBonus(address(hostile));
        hostile.mint(address(bonus), RESERVE);
        setDefault(address(bonus));
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        hostile.script(behaviour);
        assertPaid(taskId);
    }

    function assertPaid(bytes32 taskId) private {
        uint256 balanceBefore = usdc.balanceOf(alice);
        vm.expectEmit(address(bonus));
        emit BonusFailed(taskId, ITaskHook.onComplete.selector);
        accept(taskId, alice, "a1");
        assertEq(usdc.balanceOf(alice) - balanceBefore, REWARD - REWARD * FEE_BPS / 10_000);
        assertClaimable(0, 0);
    }
}
