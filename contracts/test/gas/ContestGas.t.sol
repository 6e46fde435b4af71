// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CreateTaskParams, RateParams, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Authorization} from "../../src/types/RelayTypes.sol";
import {Relay} from "../support/Relay.sol";
import {GasTest} from "./GasTest.sol";

/// @title Creating tasks, contests from submission to rating, refunds
contract ContestGasTest is GasTest {
    /// @dev A payment that is settled on its own: what a service pays that does not pay and act in one transaction.
    function test_settlementAlone() external {
        Authorization memory a = Relay.authorizationOf(requester, 1000, "alone");
        bytes memory signature = Relay.sign(usdc, requesterKey, address(forwarder), a);
        vm.prank(relayer);
        usdc.transferWithAuthorization(
            a.from, address(forwarder), a.value, a.validAfter, a.validBefore, a.nonce, signature
        );
        vm.snapshotGasLastCall("settlement alone");
    }

    function test_createTask() external {
        CreateTaskParams memory params = aBounty();
        params.listed = true;
        params.tags = new bytes32[](3);
        for (uint256 i; i < 3; i++) {
            params.tags[i] = keccak256(abi.encode(i));
        }
        bound("createTask bounty", requesterKey, REWARD, abi.encodeCall(market.createTask, params));
        paid("createTask bounty", requesterKey, REWARD, abi.encodeCall(market.createTask, params));
        paid("createTask bounty without tags", requesterKey, REWARD, abi.encodeCall(market.createTask, aBounty()));
        params.mode = Modes.CLAIM;
        params.stakeBps = 1000;
        paid("createTask claim", requesterKey, REWARD, abi.encodeCall(market.createTask, params));
        params = anAuction(Modes.DUTCH);
        params.tags = new bytes32[](3);
        paid("createTask auction", requesterKey, REWARD, abi.encodeCall(market.createTask, params));
        paid("createTask evaluated", requesterKey, REWARD, abi.encodeCall(market.createTask, evaluated(aBounty())));
    }

    function test_updateTask() external {
        UpdateTaskParams memory params = anUpdate(createBounty());
        params.reward = uint96(REWARD + 1e6);
        params.expiryTime = uint40(block.timestamp) + 2 * DURATION;
        paid("updateTask raising the reward", requesterKey, 1e6, abi.encodeCall(market.updateTask, params));
        params = anUpdate(createBounty());
        params.expiryTime = uint40(block.timestamp) + 2 * DURATION;
        both("updateTask extending", requesterKey, abi.encodeCall(market.updateTask, params));
    }

    function test_submitWork() external {
        bytes32 taskId = createBounty();
        submit(taskId, bob, "b1");
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, keccak256("a1")));
        direct("submitWork to a contest", alice, data);
        signed("submitWork to a contest", aliceKey, "service:submit:", taskId, data);
        data = abi.encodeCall(market.submitWork, (taskId, keccak256("a2")));
        signed("submitWork to a contest again", aliceKey, "service:submit:", taskId, data);
        taskId = create(aBenchmark());
        data = abi.encodeCall(market.submitProof, (taskId, keccak256("proof"), keccak256("url"), 42));
        both("submitProof", aliceKey, data);
    }

    function test_rejectSubmissions() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        both("rejectSubmissions", requesterKey, abi.encodeCall(market.rejectSubmissions, (taskId, asList(alice))));
    }

    function test_acceptSubmission() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        bytes memory data = abi.encodeCall(market.acceptSubmission, (taskId, alice, bytes32("a1")));
        bound("acceptSubmission", requesterKey, 0, data);
        both("acceptSubmission", requesterKey, data);
    }

    function test_acceptSubmissions() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        bytes memory data = abi.encodeCall(market.acceptSubmissions, (taskId, winnersOf(alice, 6000, bob, 4000)));
        both("acceptSubmissions among 2", requesterKey, data);
    }

    function test_cancelTask() external {
        both("cancelTask", requesterKey, abi.encodeCall(market.cancelTask, (createBounty())));
    }

    function test_refundExpired() external {
        bytes32 taskId = createBounty();
        vm.warp(block.timestamp + DURATION);
        bytes memory data = abi.encodeCall(market.refundExpired, (taskId));
        direct("refundExpired", stranger, data);
        paid("refundExpired", requesterKey, 0, data);
    }

    function test_rateTask() external {
        bytes32 taskId = createCompleted();
        RateParams memory params = RateParams(taskId, alice, 90, 0, 0, false, "https://example.org/f/1", "hash");
        both("rateTask", requesterKey, abi.encodeCall(market.rateTask, params));
        vm.prank(alice);
        identity.register("https://example.org/alice.json");
        params = RateParams(createCompleted(), alice, 90, 0, 0, true, "https://example.org/f/1", "hash");
        paid("rateTask with ERC-8004 feedback", requesterKey, 0, abi.encodeCall(market.rateTask, params));
    }
}
