// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AllowListHook} from "../../../examples/AllowListHook.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Status} from "../../../src/types/TaskTypes.sol";
import {MarketTest} from "../../support/MarketTest.sol";

contract AllowListHookTest is MarketTest {
    AllowListHook private list;

    function setUp() public override {
        super.setUp();
        fund(alice);
        fund(bob);
        list = new AllowListHook(ITaskMarket(address(market)), requester, asList(alice));
    }

    /// when a listed worker comes: it lets the worker claim, deliver and be paid
    function test_LetsTheWorkerClaim() external {
        bytes32 taskId = createListed(aClaim());
        claim(taskId, alice);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertStatus(taskId, Status.Completed);
    }

    /// when a listed worker comes: it lets the worker pitch and be selected
    function test_LetsTheWorkerPitch() external {
        bytes32 taskId = createListed(aPitchTask());
        pitch(taskId, alice);
        select(taskId, alice);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when a listed worker comes: it lets the worker bid and win
    function test_LetsTheWorkerBid() external {
        bytes32 taskId = createListed(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 5e6);
        skip(DURATION / 2);
        market.selectLowestBidder(taskId);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when a listed worker comes: it lets the worker submit to a contest
    function test_LetsTheWorkerSubmit() external {
        bytes32 taskId = createListed(aBounty());
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).activeSubmissions, 1);
    }

    /// when another account comes: it vetoes the claim and says why
    function test_RevertWhen_AnotherClaims() external {
        bytes32 taskId = createListed(aClaim());
        bytes memory reason = abi.encodeWithSelector(AllowListHook.WorkerNotAllowed.selector, bob);
        vm.prank(bob);
        vm.expectRevert(
            abi.encodeWithSelector(
                ITaskMarket.HookVetoed.selector, address(list), ITaskHook.checkClaim.selector, reason
            )
        );
        market.claimTask(taskId, 0);
    }

    /// when another account comes: it vetoes the pitch
    function test_RevertWhen_AnotherPitches() external {
        bytes32 taskId = createListed(aPitchTask());
        expectVeto(bob);
        market.submitPitch(taskId, "pitch");
    }

    /// when another account comes: it vetoes the bid
    function test_RevertWhen_AnotherBids() external {
        bytes32 taskId = createListed(anAuction(Modes.REVERSE_ENGLISH));
        expectVeto(bob);
        market.submitBid(taskId, 1e6);
    }

    /// when another account comes: it vetoes the clock price
    function test_RevertWhen_AnotherTakesTheClockPrice() external {
        bytes32 taskId = createListed(anAuction(Modes.DUTCH));
        expectVeto(bob);
        market.acceptAuction(taskId, 1);
    }

    /// when another account comes: it vetoes the submission to a contest
    function test_RevertWhen_AnotherSubmits() external {
        bytes32 taskId = createListed(aBounty());
        expectVeto(bob);
        market.submitWork(taskId, "b1");
    }

    /// when a worker is taken off the list: it vetoes the selection of a pitch made before
    function test_RevertWhen_SelectingTheRemoved() external {
        bytes32 taskId = createListed(aPitchTask());
        pitch(taskId, alice);
        set(alice, false);
        expectVeto(requester);
        market.selectWorker(taskId, alice);
    }

    /// when a worker is taken off the list: it keeps no assigned worker from delivering and being paid
    function test_KeepsNoAssignedWorkerOut() external {
        bytes32 taskId = createListed(aClaim());
        claim(taskId, alice);
        set(alice, false);
        expectLog();
        emit HookCallFailed(taskId, address(list), ITaskHook.checkSubmit.selector);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertStatus(taskId, Status.Completed);
    }

    /// when the owner edits the list: it logs each change
    function test_LogsEachChange() external {
        vm.expectEmit(address(list));
        emit AllowListHook.WorkerSet(bob, true);
        vm.expectEmit(address(list));
        emit AllowListHook.WorkerSet(stranger, true);
        vm.prank(requester);
        list.setAllowed(asList(bob, stranger), true);
        assertTrue(list.isAllowed(bob));
        set(bob, false);
        assertFalse(list.isAllowed(bob));
    }

    /// when any other account edits the list: it reverts with OwnableUnauthorizedAccount
    function test_RevertWhen_AStrangerEdits() external {
        vm.prank(bob);
        expectError(Ownable.OwnableUnauthorizedAccount.selector, bob);
        list.setAllowed(asList(bob), true);
    }

    /// when the owner renounces: it stays as it is for ever
    function test_StaysAsItIs() external {
        vm.startPrank(requester);
        list.renounceOwnership();
        expectError(Ownable.OwnableUnauthorizedAccount.selector, requester);
        list.setAllowed(asList(bob), true);
        vm.stopPrank();
        assertTrue(list.isAllowed(alice));
        assertFalse(list.isAllowed(bob));
    }

    function createListed(CreateTaskParams memory params) private returns (bytes32) {
        params.hooks = asList(address(list));
        return create(params);
    }

    function set(address worker, bool allowed) private {
        vm.prank(requester);
        list.setAllowed(asList(worker), allowed);
    }

    function expectVeto(address actor) private {
        vm.prank(actor);
        vm.expectPartialRevert(ITaskMarket.HookVetoed.selector);
    }

    function assertStatus(bytes32 taskId, Status status) private view {
        assertEq(uint8(market.getTask(taskId).status), uint8(status));
    }
}
