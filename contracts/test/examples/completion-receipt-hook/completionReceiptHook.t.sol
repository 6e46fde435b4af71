// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {CompletionReceiptHook} from "../../../examples/CompletionReceiptHook.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams, Winner} from "../../../src/types/TaskTypes.sol";
import {MarketTest} from "../../support/MarketTest.sol";

contract CompletionReceiptHookTest is MarketTest {
    CompletionReceiptHook private receipts;
    bytes32 private taskId;

    function setUp() public override {
        super.setUp();
        receipts = new CompletionReceiptHook(ITaskMarket(address(market)));
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(receipts));
        taskId = create(params);
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
    }

    /// when a task is completed: it issues a receipt for each award
    function test_IssuesReceipts() external {
        expectReceipt(alice, 4e6);
        expectReceipt(bob, 6e6);
        split(taskId, winnersOf(alice, 4000, bob, 6000));
        assertEq(uint8(receipts.stageOf(taskId)), uint8(CompletionReceiptHook.Stage.Issued));
    }

    /// when a task is completed: it issues fifty
    function test_IssuesFifty() external {
        Winner[] memory winners = new Winner[](50);
        for (uint256 i; i < 50; i++) {
            winners[i] = Winner(address(uint160(0xbeef00 + i)), 200, "x");
            submit(taskId, winners[i].worker, "x");
        }
        vm.cool(address(receipts));
        vm.recordLogs();
        split(taskId, winners);
        assertEq(countReceipts(), 50);
    }

    /// when a task ends without awards: it issues nothing
    function test_IssuesNothing() external {
        vm.recordLogs();
        skip(DURATION + 90 days);
        market.settleStale(taskId);
        assertEq(countReceipts(), 0);
    }

    /// when it missed a completion: it issues the receipts for any account that hands in the awards
    function test_IssuesMissedReceipts() external {
        miss();
        expectReceipt(alice, 4e6);
        expectReceipt(bob, 6e6);
        vm.prank(stranger);
        receipts.issueMissed(taskId, asList(alice, bob), amountsOf(4e6, 6e6));
        assertEq(uint8(receipts.stageOf(taskId)), uint8(CompletionReceiptHook.Stage.Issued));
    }

    /// when it missed a completion: it reverts with AwardsMismatch for other awards
    function test_RevertWhen_AwardsAreOthers() external {
        miss();
        bytes32 expected = market.awardsHash(taskId);
        bytes32 actual = keccak256(abi.encode(asList(alice, bob), amountsOf(4e6, 7e6)));
        vm.expectRevert(abi.encodeWithSelector(CompletionReceiptHook.AwardsMismatch.selector, expected, actual));
        receipts.issueMissed(taskId, asList(alice, bob), amountsOf(4e6, 7e6));
    }

    /// when receipts are asked for that were issued: it reverts with NothingToIssue
    function test_RevertWhen_Issued() external {
        split(taskId, winnersOf(alice, 4000, bob, 6000));
        expectError(CompletionReceiptHook.NothingToIssue.selector, uint256(taskId));
        receipts.issueMissed(taskId, asList(alice, bob), amountsOf(4e6, 6e6));
    }

    /// when receipts are asked for before the completion: it reverts with AwardsMismatch
    function test_RevertWhen_NotCompleted() external {
        vm.expectPartialRevert(CompletionReceiptHook.AwardsMismatch.selector);
        receipts.issueMissed(taskId, asList(alice, bob), amountsOf(4e6, 6e6));
    }

    /// when receipts are asked for a task it is not attached to: it reverts with NothingToIssue
    function test_RevertWhen_NotAttached() external {
        bytes32 other = createCompleted();
        expectError(CompletionReceiptHook.NothingToIssue.selector, uint256(other));
        receipts.issueMissed(other, new address[](0), new uint256[](0));
    }

    /// @dev The completion's notification fails, whatever the reason.
    function miss() private {
        vm.mockCallRevert(address(receipts), abi.encodeWithSelector(ITaskHook.onComplete.selector), "");
        expectLog();
        emit HookCallFailed(taskId, address(receipts), ITaskHook.onComplete.selector);
        split(taskId, winnersOf(alice, 4000, bob, 6000));
        vm.clearMockedCalls();
    }

    function expectReceipt(address worker, uint256 amount) private {
        vm.expectEmit(address(receipts));
        emit CompletionReceiptHook.ReceiptIssued(taskId, worker, requester, amount);
    }

    function countReceipts() private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] == CompletionReceiptHook.ReceiptIssued.selector) count++;
        }
    }

    function amountsOf(uint256 first, uint256 second) private pure returns (uint256[] memory amounts) {
        amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (first, second);
    }
}
