// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Award, EvaluatorTerms, Verdict} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract UnbuiltModesTest is MarketTest {
    /// when an operation of another mode is called: it reverts with WrongMode for each of them
    function test_RevertWhen_OtherMode() external {
        expectEach(modeCalls(createBounty()), abi.encodeWithSelector(ITaskMarket.WrongMode.selector, Modes.BOUNTY));
    }

    /// when an operation of another mode is called: it reverts with TaskNotFound for an unknown task
    function test_RevertWhen_OtherModeUnknownTask() external {
        expectEach(modeCalls("none"), abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
    }

    /// when an operation of the evaluator flow is called: it reverts with EvaluatorNotAvailable for each of them
    function test_RevertWhen_EvaluatorFlow() external {
        expectEach(evaluatorCalls(createBounty()), abi.encodeWithSelector(ITaskMarket.EvaluatorNotAvailable.selector));
    }

    /// when an operation of the evaluator flow is called: it reverts with TaskNotFound for an unknown task
    function test_RevertWhen_EvaluatorFlowUnknownTask() external {
        expectEach(evaluatorCalls("none"), abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
    }

    function expectEach(bytes[] memory calls, bytes memory expected) private {
        for (uint256 i; i < calls.length; i++) {
            vm.prank(requester);
            (bool success, bytes memory reason) = address(market).call(calls[i]);
            assertFalse(success);
            assertEq(reason, expected);
        }
    }

    function modeCalls(bytes32 taskId) private view returns (bytes[] memory calls) {
        calls = new bytes[](9);
        calls[0] = abi.encodeCall(market.claimTask, (taskId));
        calls[1] = abi.encodeCall(market.submitPitch, (taskId, "pitch"));
        calls[2] = abi.encodeCall(market.selectWorker, (taskId, alice));
        calls[3] = abi.encodeCall(market.submitBid, (taskId, 1));
        calls[4] = abi.encodeCall(market.selectLowestBidder, (taskId));
        calls[5] = abi.encodeCall(market.acceptAuction, (taskId, 1));
        calls[6] = abi.encodeCall(market.submitProof, (taskId, "proof", "type", 1));
        calls[7] = abi.encodeCall(market.objectToDelivery, (taskId));
        calls[8] = abi.encodeCall(market.forfeitAndReopen, (taskId));
    }

    function evaluatorCalls(bytes32 taskId) private view returns (bytes[] memory calls) {
        Award[] memory awards;
        calls = new bytes[](6);
        calls[0] = abi.encodeCall(market.assignEvaluator, (taskId, EvaluatorTerms(alice, bob, 0, 0, 0)));
        calls[1] = abi.encodeCall(market.evaluate, (taskId, Verdict.Approve, 1000, 1000, 0, awards));
        calls[2] = abi.encodeCall(market.appeal, (taskId));
        calls[3] = abi.encodeCall(market.finalizeVerdict, (taskId));
        calls[4] = abi.encodeCall(market.resolveDispute, (taskId, Verdict.Approve, awards));
        calls[5] = abi.encodeCall(market.evaluatorTimeout, (taskId));
    }
}
