// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {EntryView, RateParams, TaskView, Winner} from "../../src/types/TaskTypes.sol";
import {HostileRegistry} from "../support/HostileRegistry.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract LockTest is MarketTest {
    HostileRegistry internal hostile;

    function setUp() public override {
        super.setUp();
        hostile = new HostileRegistry();
        hostile.behave(alice, HostileRegistry.Harm.None, HostileRegistry.Harm.Reenter);
        vm.prank(owner);
        market.setRegistries(address(hostile), address(hostile));
    }

    /// when a registry calls back during a rating: it reverts with Reentered in every operation that writes
    function test_RefusesToBeReentered() external {
        bytes32 taskId = createBounty();
        RateParams memory rating;
        bytes[] memory calls = new bytes[](12);
        calls[0] = abi.encodeCall(market.createTask, (aBounty()));
        calls[1] = abi.encodeCall(market.updateTask, (anUpdate(taskId)));
        calls[2] = abi.encodeCall(market.submitWork, (taskId, "x"));
        calls[3] = abi.encodeCall(market.rejectSubmissions, (taskId, asList(alice)));
        calls[4] = abi.encodeCall(market.acceptSubmission, (taskId, alice, "a1"));
        calls[5] = abi.encodeCall(market.acceptSubmissions, (taskId, new Winner[](0)));
        calls[6] = abi.encodeCall(market.cancelTask, (taskId));
        calls[7] = abi.encodeCall(market.refundExpired, (taskId));
        calls[8] = abi.encodeCall(market.settleStale, (taskId));
        calls[9] = abi.encodeCall(market.rateTask, (rating));
        calls[10] = abi.encodeCall(market.withdrawCredit, (alice));
        calls[11] = abi.encodeCall(market.pushCredit, (alice));
        for (uint256 i; i < calls.length; i++) {
            assertEq(answerDuringRating(calls[i]), abi.encodeWithSelector(ITaskMarket.Reentered.selector));
        }
    }

    /// when a registry calls back during a rating: it answers views
    function test_AnswersViews() external {
        bytes32 taskId = createCompleted();
        TaskView memory task = abi.decode(answerDuringRating(abi.encodeCall(market.getTask, (taskId))), (TaskView));
        assertEq(task.requester, requester);
        bytes memory answer = answerDuringRating(abi.encodeCall(market.entryOf, (taskId, alice)));
        assertTrue(abi.decode(answer, (EntryView)).awarded);
        answer = answerDuringRating(abi.encodeCall(market.totalEscrow, ()));
        assertEq(abi.decode(answer, (uint256)), 0);
    }

    function answerDuringRating(bytes memory data) private returns (bytes memory) {
        bytes32 taskId = createCompleted();
        hostile.callBack(address(market), data);
        vm.prank(requester);
        market.rateTask(RateParams(taskId, alice, 90, 0, 0, true, "", 0));
        return hostile.answer();
    }
}
