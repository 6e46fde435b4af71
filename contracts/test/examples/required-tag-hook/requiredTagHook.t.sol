// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RequiredTagHook} from "../../../examples/RequiredTagHook.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams, Status} from "../../../src/types/TaskTypes.sol";
import {MarketTest} from "../../support/MarketTest.sol";

contract RequiredTagHookTest is MarketTest {
    RequiredTagHook private required;

    function setUp() public override {
        super.setUp();
        string[] memory tags = new string[](2);
        (tags[0], tags[1]) = ("solidity", "audit");
        required = new RequiredTagHook(ITaskMarket(address(market)), tags);
    }

    /// when a task carries a listed tag among others: it lets the task be created
    function test_LetsAListedTagPass() external {
        bytes32 taskId = create(tagged("urgent", "audit"));
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Open));
        create(tagged("solidity", "urgent"));
    }

    /// when a task carries other tags: it vetoes the creation
    function test_RevertWhen_NoTagIsListed() external {
        expectVeto();
        market.createTask(tagged("urgent", "Solidity"));
    }

    /// when a task carries no tags: it vetoes the creation
    function test_RevertWhen_ThereAreNoTags() external {
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(required));
        expectVeto();
        market.createTask(params);
    }

    /// when it is deployed without tags: it reverts with NoTags
    function test_RevertWhen_DeployedWithoutTags() external {
        expectError(RequiredTagHook.NoTags.selector);
        new RequiredTagHook(ITaskMarket(address(market)), new string[](0));
    }

    function tagged(string memory first, string memory second) private view returns (CreateTaskParams memory params) {
        params = aBounty();
        params.hooks = asList(address(required));
        params.tags = new bytes32[](2);
        (params.tags[0], params.tags[1]) = (keccak256(bytes(first)), keccak256(bytes(second)));
    }

    function expectVeto() private {
        vm.prank(requester);
        vm.expectRevert(
            abi.encodeWithSelector(ITaskMarket.HookVetoed.selector, address(required), ITaskHook.checkFund.selector, "")
        );
    }
}
