// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {EntryView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {BountyHandler} from "./BountyHandler.sol";
import {LogLedger} from "./LogLedger.sol";

/// @notice The conservation laws of bounties, over random sequences of everything that can happen.
contract BountyInvariantsTest is MarketTest {
    uint256 private constant ACTORS = 8;

    BountyHandler internal handler;
    LogLedger internal ledger;

    function setUp() public override {
        super.setUp();
        handler = new BountyHandler(market, forwarder, usdc, owner, relayer);
        ledger = handler.LEDGER();
        usdc.configureMinter(address(this), type(uint256).max);
        for (uint256 i; i < ACTORS; i++) {
            fund(handler.actorAt(i));
        }
        openRoutes();
        // The handler turns blacklist and pause of USDC: the token's roles go to it.
        vm.store(address(usdc), bytes32(uint256(0)), bytes32(uint256(uint160(address(handler)))));
        vm.store(address(usdc), bytes32(uint256(3)), bytes32(uint256(uint160(address(handler)))));
        assertEq(usdc.pauser(), address(handler));
        assertEq(usdc.blacklister(), address(handler));
        targetContract(address(handler));
    }

    /// @notice What the market holds is what it owes, and what was given to it by mistake.
    function invariant_BalanceCoversLiabilities() external view {
        uint256 balance = usdc.balanceOf(address(market));
        assertGe(balance, market.totalEscrow());
        assertEq(balance, market.totalEscrow() + handler.donated());
    }

    /// @notice The sum of all parts, and each task against its own logs: escrow, counters, state, one ending, and what
    /// came in went out once.
    function invariant_TasksAddUp() external view {
        uint256 owed;
        for (uint256 i; i < ledger.countTasks(); i++) {
            bytes32 taskId = ledger.taskIds(i);
            TaskView memory task = market.getTask(taskId);
            owed += task.escrow;
            checkTask(task, ledger.accountOf(taskId));
            checkEntries(taskId, task);
        }
        for (uint256 i; i < ACTORS; i++) {
            uint256 credit = market.creditOf(handler.actorAt(i));
            assertEq(credit, ledger.credits(handler.actorAt(i)));
            owed += credit;
        }
        owed += market.creditOf(feeRecipient);
        assertEq(market.totalEscrow(), owed);
    }

    /// @notice The forwarder holds its income and the lone authorizations, and lends nothing.
    function invariant_ForwarderAddsUp() external view {
        assertEq(usdc.balanceOf(address(forwarder)), forwarder.fees() + handler.prepaid());
        assertEq(usdc.allowance(address(forwarder), address(market)), 0);
        assertEq(forwarder.pgtrSender(), address(0));
    }

    /// @notice Every operation of the handler can succeed: the invariants do not hold by nothing happening.
    function test_EveryOperationIsReached() external {
        for (uint256 round; round < 2; round++) {
            bool relayed = round == 1;
            handler.createTask(0, 10e6, 1 days, relayed);
            handler.updateTask(0, 20e6, 100_000, relayed);
            handler.submitWork(0, 1, 5, relayed);
            handler.submitWork(0, 2, 6, relayed);
            handler.submitWork(0, 3, 7, relayed);
            handler.rejectSubmissions(0, 3, relayed);
            handler.acceptSubmissions(0, 1, 3333, relayed);
            handler.rateTask(0, 1, relayed);
            handler.createTask(1, 10e6, 1 days, relayed);
            handler.submitWork(0, 2, 6, relayed);
            handler.acceptSubmission(0, 2, relayed);
            handler.createTask(2, 10e6, 1 days, relayed);
            handler.cancelTask(0, relayed);
            handler.createTask(3, 10e6, 1 days, relayed);
            handler.warp(1 days + 1);
            handler.refundExpired(0, 5, relayed);
            handler.createTask(4, 10e6, 1, relayed);
            handler.toggleBlacklist(4);
            handler.warp(91 days / 8 * 8);
            handler.settleStale(0, 5);
            handler.withdrawCredit(4, 5, false);
            handler.createTask(5, 10e6, 1 days, relayed);
            handler.toggleBlacklist(5);
            handler.cancelTask(0, false);
            handler.toggleBlacklist(5);
            handler.pushCredit(5);
            handler.toggleBlacklist(4);
        }
        handler.donate(0, 5);
        handler.sweepExcess(0);
        handler.submitAuthorizationAlone(0, 5000);
        handler.relayPrepaid(0);
        handler.submitAuthorizationAlone(0, 5000);
        handler.refundPrepaid(1);
        handler.sweepFees(0);

        bytes32[13] memory everyRound = [
            bytes32("createTask"),
            "updateTask",
            "submitWork",
            "rejectSubmissions",
            "acceptSubmissions",
            "rateTask",
            "acceptSubmission",
            "cancelTask",
            "refundExpired",
            "settleStale",
            "withdrawCredit",
            "pushCredit",
            "createTask"
        ];
        for (uint256 i; i < everyRound.length; i++) {
            assertGe(handler.successes(everyRound[i]), 2, string(abi.encodePacked(everyRound[i])));
        }
        bytes32[6] memory once = [
            bytes32("donate"), "sweepExcess", "submitAuthorizationAlone", "relayPrepaid", "refundPrepaid", "sweepFees"
        ];
        for (uint256 i; i < once.length; i++) {
            assertGe(handler.successes(once[i]), 1, string(abi.encodePacked(once[i])));
        }
        this.invariant_BalanceCoversLiabilities();
        this.invariant_TasksAddUp();
        this.invariant_ForwarderAddsUp();
    }

    function checkTask(TaskView memory task, LogLedger.Account memory account) private pure {
        bool open = task.status == Status.Open;
        assertEq(uint8(task.status), uint8(account.status));
        assertEq(task.reward, account.reward);
        assertEq(task.expiryTime, account.expiryTime);
        assertEq(task.submissionCount, account.submissions);
        assertEq(task.activeSubmissions, account.active);
        assertEq(task.awardCount, account.awards);
        assertEq(task.escrow, open ? account.reward : 0);
        assertEq(account.paidIn, account.paidOut + task.escrow);
        assertEq(account.endings, open ? 0 : 1);
        assertLe(task.feeBps, 2000);
    }

    function checkEntries(bytes32 taskId, TaskView memory task) private view {
        uint256 submissions;
        uint256 active;
        uint256 awarded;
        for (uint256 i; i < ACTORS; i++) {
            EntryView memory entry = market.entryOf(taskId, handler.actorAt(i));
            submissions += entry.submissions;
            active += entry.active;
            if (entry.awarded) awarded++;
            if (entry.rejected) assertEq(entry.active, 0);
            if (entry.awarded) assertGt(entry.active, 0);
            if (entry.rated) assertTrue(entry.awarded);
        }
        assertEq(task.submissionCount, submissions);
        assertEq(task.activeSubmissions, active);
        assertEq(task.awardCount, awarded);
    }

    function openRoutes() private {
        allowPaid(ITaskMarket.createTask.selector);
        allowPaid(ITaskMarket.updateTask.selector);
        allowPaid(ITaskMarket.rejectSubmissions.selector);
        allowPaid(ITaskMarket.acceptSubmission.selector);
        allowPaid(ITaskMarket.acceptSubmissions.selector);
        allowPaid(ITaskMarket.cancelTask.selector);
        allowPaid(ITaskMarket.refundExpired.selector);
        allowPaid(ITaskMarket.rateTask.selector);
        allowPaid(ITaskMarket.withdrawCredit.selector);
        IPaymentForwarder.SuffixRule content = IPaymentForwarder.SuffixRule.Content;
        allow(address(market), ITaskMarket.submitWork.selector, 7, content, "submit");
    }
}
