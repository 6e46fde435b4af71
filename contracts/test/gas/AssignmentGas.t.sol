// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, Verdict} from "../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../support/ScriptedHook.sol";
import {GasTest} from "./GasTest.sol";

/// @title One worker: claims, pitches and auctions, from the entry to the award; evaluators; hooks
contract AssignmentGasTest is GasTest {
    function test_claimTask() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 0;
        bytes32 taskId = create(params);
        bytes memory data = abi.encodeCall(market.claimTask, (taskId, 0));
        direct("claimTask", alice, data);
        signedForTheCall("claimTask", aliceKey, "service:claim:", taskId, data);
        signed("claimTask", aliceKey, "service:claim:", taskId, data);
        vm.warp(block.timestamp + DURATION);
        data = abi.encodeCall(market.forfeitAndReopen, (taskId));
        direct("forfeitAndReopen", requester, data);
        signed("forfeitAndReopen", requesterKey, "service:forfeit:", taskId, data);
    }

    function test_claimTaskWithStake() external {
        bytes32 taskId = create(aClaim());
        bytes memory data = abi.encodeCall(market.claimTask, (taskId, 0));
        direct("claimTask with stake", alice, data);
        bound("claimTask with stake", aliceKey, REWARD / 10, data);
        paid("claimTask with stake", aliceKey, REWARD / 10, data);
        vm.warp(block.timestamp + DURATION);
        data = abi.encodeCall(market.forfeitAndReopen, (taskId));
        signed("forfeitAndReopen with stake", requesterKey, "service:forfeit:", taskId, data);
    }

    function test_submitWork() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, keccak256("work")));
        direct("submitWork", alice, data);
        signedForTheCall("submitWork", aliceKey, "service:submit:", taskId, data);
        signed("submitWork", aliceKey, "service:submit:", taskId, data);
        data = abi.encodeCall(market.objectToDelivery, (taskId));
        both("objectToDelivery", requesterKey, data);
        data = abi.encodeCall(market.acceptSubmission, (taskId, alice, keccak256("work")));
        both("acceptSubmission with stake", requesterKey, data);
    }

    function test_pitches() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, bob);
        bytes memory data = abi.encodeCall(market.submitPitch, (taskId, keccak256("pitch")));
        both("submitPitch", aliceKey, data);
        data = abi.encodeCall(market.selectWorker, (taskId, alice));
        both("selectWorker", requesterKey, data);
    }

    function test_bids() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, bob, 9e6);
        bound("submitBid first", aliceKey, 0, abi.encodeCall(market.submitBid, (taskId, 8e6)));
        both("submitBid first", aliceKey, abi.encodeCall(market.submitBid, (taskId, 8e6)));
        both("submitBid lower", aliceKey, abi.encodeCall(market.submitBid, (taskId, 7e6)));
        vm.warp(block.timestamp + DURATION / 2);
        bytes memory data = abi.encodeCall(market.selectLowestBidder, (taskId));
        direct("selectLowestBidder", stranger, data);
        opened("selectLowestBidder", data);
    }

    function test_acceptAuction() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        vm.warp(block.timestamp + DURATION / 4);
        both("acceptAuction", aliceKey, abi.encodeCall(market.acceptAuction, (taskId, 0)));
    }

    function test_evaluation() external {
        both(
            "assignEvaluator", requesterKey, abi.encodeCall(market.assignEvaluator, (createBounty(), evaluatorTerms()))
        );
        bytes32 taskId = create(evaluated(aClaim()));
        claim(taskId, alice);
        submit(taskId, alice, "work");
        evaluate(taskId, Verdict.Partial, oneAward(alice, 5e6));
        vm.prank(alice);
        market.appeal(taskId);
        vm.warp(block.timestamp + 1 days);
        bytes memory data = abi.encodeCall(market.finalizeVerdict, (taskId));
        direct("finalizeVerdict", stranger, data);
        opened("finalizeVerdict", data);
    }

    function test_createTaskWithHooks() external {
        ScriptedHook hook = new ScriptedHook();
        hook.setRemembers(false);
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook), address(new ScriptedHook()));
        ScriptedHook(params.hooks[1]).setRemembers(false);
        bytes memory data = abi.encodeCall(market.createTask, params);
        paid("createTask with a new list of 2 hooks", requesterKey, REWARD, data);
        paid("createTask with a known list of 2 hooks", requesterKey, REWARD, data);
    }
}
