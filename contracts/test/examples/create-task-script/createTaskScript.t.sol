// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CreateTask} from "../../../examples/CreateTask.s.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Status, TaskView} from "../../../src/types/TaskTypes.sol";
import {MarketTest} from "../../support/MarketTest.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";

contract CreateTaskScriptTest is MarketTest {
    /// when the script runs: it creates an open bounty with the hook for the account that signs
    function test_CreatesABounty() external {
        // Without a key a broadcast is signed by forge's default sender.
        usdc.mint(msg.sender, 2e6);
        ScriptedHook hook = new ScriptedHook();
        bytes32 taskId = new CreateTask().run(ITaskMarket(address(market)), address(hook));
        TaskView memory task = market.getTask(taskId);
        assertEq(task.requester, msg.sender);
        assertEq(task.mode, Modes.BOUNTY);
        assertEq(task.reward, 2e6);
        assertEq(uint8(task.status), uint8(Status.Open));
        (address[] memory hooks,) = market.hooksOf(taskId);
        assertEq(hooks, asList(address(hook)));
    }
}
