// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams, RateParams, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {Relay} from "../support/Relay.sol";

/// @title Gas of whole transactions, intrinsic cost and calldata included
/// @notice Run with the `gas` profile: each top-level call is a transaction of its own. Every account is in the state
/// of daily use: requester, workers, forwarder and fee recipient have acted and held USDC before.
/// `paid.*` is payment and action in one transaction. `action.*` is the same action relayed without a payment: what
/// remains when the payment was settled in a transaction before it.
contract WholeTransactionsTest is MarketTest {
    bytes32 private _intent;
    IPaymentForwarder.Authorization private _authorization;
    bytes private _signature;

    function setUp() public override {
        super.setUp();
        bytes4[8] memory selectors = [
            ITaskMarket.createTask.selector,
            ITaskMarket.updateTask.selector,
            ITaskMarket.submitWork.selector,
            ITaskMarket.rejectSubmissions.selector,
            ITaskMarket.acceptSubmission.selector,
            ITaskMarket.acceptSubmissions.selector,
            ITaskMarket.cancelTask.selector,
            ITaskMarket.refundExpired.selector
        ];
        for (uint256 i; i < selectors.length; i++) {
            allow(address(market), selectors[i], 15, IPaymentForwarder.SuffixRule.Content, "verb");
        }
        allow(address(market), ITaskMarket.rateTask.selector, 15, IPaymentForwarder.SuffixRule.Content, "verb");
        usdc.mint(alice, 1e6);
        usdc.mint(bob, 1e6);
        usdc.mint(feeRecipient, 1e6);
        bytes32 taskId = createCompleted();
        rate(taskId, false, 0);
        relayPaid(requesterKey, 1000, 0, abi.encodeCall(market.cancelTask, (createBounty())));
    }

    function test_createTask() external {
        CreateTaskParams memory params = aBounty();
        params.listed = true;
        params.tags = new bytes32[](3);
        for (uint256 i; i < 3; i++) {
            params.tags[i] = keccak256(abi.encode(i));
        }
        paid("createTask", REWARD, REWARD, abi.encodeCall(market.createTask, params));
    }

    function test_createTaskWithoutTags() external {
        paid("createTask without tags", REWARD, REWARD, abi.encodeCall(market.createTask, aBounty()));
    }

    function test_updateTask() external {
        UpdateTaskParams memory params = anUpdate(createBounty());
        params.reward = uint96(REWARD + 1e6);
        params.expiryTime = uint40(block.timestamp) + 2 * DURATION;
        bytes memory data = abi.encodeCall(market.updateTask, params);
        paid("updateTask raising the reward", 1e6 + 1000, 1e6, data);
        params = anUpdate(createBounty());
        params.expiryTime = uint40(block.timestamp) + 2 * DURATION;
        data = abi.encodeCall(market.updateTask, params);
        both("updateTask extending", data, params.taskId, requesterKey);
    }

    function test_submitWork() external {
        bytes32 taskId = createBounty();
        submit(taskId, bob, "b1");
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, keccak256("a1")));
        signed("submitWork first", data, taskId, aliceKey);
        data = abi.encodeCall(market.submitWork, (taskId, keccak256("a2")));
        signed("submitWork again", data, taskId, aliceKey);
    }

    function test_rejectSubmissions() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        both(
            "rejectSubmissions", abi.encodeCall(market.rejectSubmissions, (taskId, asList(alice))), taskId, requesterKey
        );
    }

    function test_acceptSubmission() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        bytes memory data = abi.encodeCall(market.acceptSubmission, (taskId, alice, bytes32("a1")));
        both("acceptSubmission", data, taskId, requesterKey);
    }

    function test_acceptSubmissions() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        bytes memory data = abi.encodeCall(market.acceptSubmissions, (taskId, winnersOf(alice, 6000, bob, 4000)));
        both("acceptSubmissions among 2", data, taskId, requesterKey);
    }

    function test_cancelTask() external {
        bytes32 taskId = createBounty();
        both("cancelTask", abi.encodeCall(market.cancelTask, (taskId)), taskId, requesterKey);
    }

    function test_refundExpired() external {
        bytes32 taskId = createBounty();
        vm.warp(block.timestamp + DURATION);
        both("refundExpired", abi.encodeCall(market.refundExpired, (taskId)), taskId, requesterKey);
        taskId = createBounty();
        vm.warp(block.timestamp + DURATION);
        vm.prank(stranger);
        market.refundExpired(taskId);
        vm.snapshotGasLastCall("direct.refundExpired");
    }

    function test_rateTask() external {
        bytes32 taskId = createCompleted();
        RateParams memory params = RateParams(taskId, alice, 90, 0, 0, false, "https://example.org/f/1", "hash");
        both("rateTask", abi.encodeCall(market.rateTask, params), taskId, requesterKey);
        vm.prank(alice);
        identity.register("https://example.org/alice.json");
        taskId = createCompleted();
        params = RateParams(taskId, alice, 90, 0, 0, true, "https://example.org/f/1", "hash");
        bytes memory data = abi.encodeCall(market.rateTask, params);
        both("rateTask with ERC-8004 feedback", data, taskId, requesterKey);
    }

    function rate(bytes32 taskId, bool hasAgent, uint256 agentId) private {
        vm.prank(requester);
        market.rateTask(RateParams(taskId, alice, 90, 0, agentId, hasAgent, "", 0));
    }

    function both(string memory name, bytes memory data, bytes32 taskId, uint256 actorKey) private {
        uint256 state = vm.snapshotState();
        paid(name, 1000, 0, data);
        vm.revertToState(state);
        signed(name, data, taskId, actorKey);
    }

    function paid(string memory name, uint256 value, uint256 escrow, bytes memory data) private {
        relayPaid(requesterKey, value, escrow, data);
        vm.snapshotGasLastCall(string.concat("paid.", name));
    }

    function signed(string memory name, bytes memory data, bytes32 taskId, uint256 actorKey) private {
        // Structs start with an offset word unless they are static: the id that the message names is the first word.
        bytes32 id = bytes4(data) == ITaskMarket.rateTask.selector ? bytes32(uint256(0x20)) : taskId;
        bytes memory signature = Relay.signMessage(actorKey, "service:verb:", id, "");
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relaySigned(intentId, vm.addr(actorKey), signature, "", address(market), data);
        vm.snapshotGasLastCall(string.concat("action.", name));
    }
}
