// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams} from "../../src/types/TaskTypes.sol";
import {PlainHook} from "../examples/base-task-hook/PlainHook.sol";
import {GasTest} from "./GasTest.sol";

/// @title Gas that a hook without overrides adds to each call: the same steps without and with it
contract HookCostTest is GasTest {
    function test_withoutHooks() external {
        _measure("", new address[](0));
    }

    function test_withOneHook() external {
        _measure(" with a hook", asList(address(new PlainHook(ITaskMarket(address(market))))));
    }

    function _measure(string memory suffix, address[] memory hooks) private {
        (CreateTaskParams memory contest, CreateTaskParams memory claimed) = (aBounty(), aClaim());
        (contest.hooks, claimed.hooks) = (hooks, hooks);
        bytes memory creation = abi.encodeCall(market.createTask, (contest));
        direct(string.concat("createTask, new list", suffix), requester, creation);
        bytes32 taskId = create(contest);
        direct(string.concat("createTask, known list", suffix), requester, creation);
        direct(string.concat("submitWork", suffix), alice, abi.encodeCall(market.submitWork, (taskId, "a1")));
        direct(string.concat("cancelTask", suffix), requester, abi.encodeCall(market.cancelTask, (taskId)));
        submit(taskId, alice, "a1");
        bytes memory acceptance = abi.encodeCall(market.acceptSubmission, (taskId, alice, "a1"));
        direct(string.concat("acceptSubmission", suffix), requester, acceptance);
        taskId = create(claimed);
        direct(string.concat("claimTask", suffix), alice, abi.encodeCall(market.claimTask, (taskId, 0)));
    }
}
