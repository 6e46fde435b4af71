// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, Status, TaskView, Terms} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract CreateTaskTest is MarketTest {
    /// given entries are paused: it reverts with EntriesPaused
    function test_RevertGiven_Paused() external {
        vm.prank(owner);
        market.pause();
        expectError(ITaskMarket.EntriesPaused.selector);
        create(aBounty());
    }

    /// when the mode is unknown: it reverts with WrongMode
    function test_RevertWhen_ModeUnknown() external {
        CreateTaskParams memory params = aBounty();
        params.mode = bytes4("none");
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.WrongMode.selector, bytes4("none")));
        create(params);
    }

    /// when the reward is below 1000 base units: it reverts with RewardTooLow
    function test_RevertWhen_RewardTooLow() external {
        CreateTaskParams memory params = aBounty();
        params.reward = 999;
        expectError(ITaskMarket.RewardTooLow.selector, 999, 1000);
        create(params);
    }

    /// when the reward exceeds what the market can hold: it reverts with AmountTooLarge
    function test_RevertWhen_RewardTooLarge() external {
        CreateTaskParams memory params = aBounty();
        params.reward = uint96(type(uint72).max) + 1;
        expectError(ITaskMarket.AmountTooLarge.selector, params.reward, type(uint72).max);
        create(params);
    }

    /// given the market is nearly full: it reverts with AmountTooLarge
    function test_RevertGiven_MarketFull() external {
        usdc.mint(requester, type(uint72).max);
        CreateTaskParams memory params = aBounty();
        params.reward = type(uint72).max - 1000;
        create(params);
        params.reward = 1001;
        expectError(ITaskMarket.AmountTooLarge.selector, 1001, type(uint72).max);
        create(params);
    }

    /// when the duration is zero: it reverts with InvalidDuration
    function test_RevertWhen_DurationZero() external {
        CreateTaskParams memory params = aBounty();
        params.duration = 0;
        expectError(ITaskMarket.InvalidDuration.selector, 0);
        create(params);
    }

    /// when the duration exceeds ten years: it reverts with InvalidDuration
    function test_RevertWhen_DurationTooLong() external {
        CreateTaskParams memory params = aBounty();
        params.duration = 3650 days + 1;
        expectError(ITaskMarket.InvalidDuration.selector, 3650 days + 1);
        create(params);
    }

    /// when there are more than ten tags: it reverts with TooManyTags
    function test_RevertWhen_TooManyTags() external {
        CreateTaskParams memory params = aBounty();
        params.tags = new bytes32[](11);
        expectError(ITaskMarket.TooManyTags.selector, 11, 10);
        create(params);
    }

    /// when the hook data exceeds 4096 bytes: it reverts with HookDataTooLong
    function test_RevertWhen_HookDataTooLong() external {
        CreateTaskParams memory params = aBounty();
        params.hookData = new bytes(4096);
        create(params);
        params.hookData = new bytes(4097);
        expectError(ITaskMarket.HookDataTooLong.selector, 4097, 4096);
        create(params);
    }

    /// when the requester has not enough money: it reverts as USDC does
    function test_RevertWhen_NotEnoughMoney() external {
        CreateTaskParams memory params = aBounty();
        params.reward = uint96(usdc.balanceOf(requester) + 1);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        create(params);
    }

    /// when called by the forwarder outside a call in a name: it reverts with ActorRequired
    function test_RevertWhen_NoAccountActs() external {
        vm.prank(address(forwarder));
        expectError(ITaskMarket.ActorRequired.selector);
        market.createTask(aBounty());
    }

    /// when called directly: it stores the terms
    function test_StoresTheTerms() external {
        CreateTaskParams memory params = aBounty();
        params.tags = twoTags();
        bytes32 expectedId = market.nextTaskId(requester);
        bytes32 taskId = create(params);
        TaskView memory task = market.getTask(taskId);

        assertEq(taskId, expectedId);
        assertEq(taskId, keccak256(abi.encode(block.chainid, market, requester, 0)));
        assertEq(task.requester, requester);
        assertEq(task.mode, Modes.BOUNTY);
        assertEq(uint8(task.status), uint8(Status.Open));
        assertEq(task.reward, REWARD);
        assertEq(task.escrow, REWARD);
        assertEq(task.feeBps, FEE_BPS);
        assertEq(task.createdAt, block.timestamp);
        assertEq(task.expiryTime, block.timestamp + DURATION);
        assertEq(task.contentHash, params.contentHash);
        assertEq(task.tagsHash, keccak256(abi.encodePacked(params.tags)));
    }

    /// when called directly: it logs every term
    function test_LogsEveryTerm() external {
        CreateTaskParams memory params = aBounty();
        params.tags = twoTags();
        params.listed = true;
        createBounty();
        Terms memory terms;
        terms.reward = params.reward;
        terms.createdAt = uint40(block.timestamp);
        terms.expiryTime = uint40(block.timestamp) + DURATION;
        terms.feeBps = FEE_BPS;
        terms.contentHash = params.contentHash;
        terms.tags = params.tags;
        terms.listed = true;
        terms.nonce = 1;
        bytes32 taskId = market.nextTaskId(requester);
        expectLog();
        emit TaskCreated(taskId, requester, Modes.BOUNTY, terms);
        create(params);
    }

    /// when called directly: it takes the reward from the caller into escrow
    function test_TakesTheReward() external {
        uint256 before = usdc.balanceOf(requester);
        createBounty();
        assertEq(usdc.balanceOf(requester), before - REWARD);
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when called directly: it gives each task of a requester its own id
    function test_GivesOwnIds() external {
        bytes32 first = createBounty();
        bytes32 second = createBounty();
        assertTrue(first != second);
        assertEq(market.nonceOf(requester), 2);
        assertEq(market.nonceOf(alice), 0);
    }

    /// when terms are at their bounds: it accepts a reward of 1000, ten years and ten tags
    function test_AcceptsBounds() external {
        CreateTaskParams memory params = aBounty();
        (params.reward, params.duration, params.tags) = (1000, 3650 days, new bytes32[](10));
        assertEq(market.getTask(create(params)).expiryTime, block.timestamp + 3650 days);
        params.duration = 1;
        assertEq(market.getTask(create(params)).expiryTime, block.timestamp + 1);
    }

    /// when there are no tags and no content: it stores no hashes
    function test_StoresNoHashes() external {
        CreateTaskParams memory params = aBounty();
        params.contentHash = 0;
        TaskView memory task = market.getTask(create(params));
        assertEq(task.contentHash, 0);
        assertEq(task.tagsHash, 0);
    }

    /// when relayed with a payment: it makes the payer the requester
    function test_MakesThePayerRequester() external {
        allowPaid(ITaskMarket.createTask.selector);
        fund(alice);
        bytes32 taskId = market.nextTaskId(alice);
        relayPaid(aliceKey, REWARD, REWARD, abi.encodeCall(market.createTask, aBounty()));
        assertEq(market.getTask(taskId).requester, alice);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(usdc.balanceOf(address(forwarder)), 0);
    }

    /// when relayed with a payment: it returns the task id through the forwarder
    function test_ReturnsTheIdThroughTheForwarder() external {
        allowPaid(ITaskMarket.createTask.selector);
        bytes32 expectedId = market.nextTaskId(requester);
        bytes memory result = relayPaid(requesterKey, REWARD, REWARD, abi.encodeCall(market.createTask, aBounty()));
        assertEq(abi.decode(result, (bytes32)), expectedId);
    }

    /// given the fee changes later: it keeps the fee of the creation
    function test_KeepsTheFee() external {
        bytes32 taskId = createBounty();
        vm.prank(owner);
        market.setFeeBps(100);
        assertEq(market.getTask(taskId).feeBps, FEE_BPS);
        assertEq(market.getTask(createBounty()).feeBps, 100);
    }

    function twoTags() private pure returns (bytes32[] memory tags) {
        tags = new bytes32[](2);
        (tags[0], tags[1]) = (keccak256("solidity"), keccak256("audit"));
    }
}
