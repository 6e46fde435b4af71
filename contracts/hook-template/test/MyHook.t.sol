// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskHook} from "task-market-contracts/src/interfaces/ITaskHook.sol";
import {MarketTest} from "task-market-contracts/testing/MarketTest.sol";
import {MyHook} from "../src/MyHook.sol";

contract MyHookTest is MarketTest {
    MyHook private _hook;

    function setUp() public override {
        super.setUp();
        _hook = new MyHook(market);
    }

    function test_TakesOneSubmissionOfEach() external {
        bytes32 taskId = createBounty(address(_hook));
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        bytes memory reason = abi.encodeWithSelector(MyHook.SubmittedBefore.selector, alice);
        expectVeto(address(_hook), ITaskHook.checkSubmit.selector, reason);
        submit(taskId, alice, "a2");
        accept(taskId, alice, "a1");
        assertEq(market.entryOf(taskId, alice).submissions, 1);
    }

    function test_NeverKeepsMoneyBack() external {
        bytes32 taskId = createBounty(address(_hook));
        uint256 before = usdc.balanceOf(requester);
        expire(taskId);
        assertEq(usdc.balanceOf(requester), before + REWARD);
    }
}
