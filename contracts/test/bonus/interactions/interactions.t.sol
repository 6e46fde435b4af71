// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract InteractionsTest is BonusTest {
    /// when a wallet creates a task: it counts its age from then
    function test_CountsFromACreation() external {
        expectFirstSeen(requester);
        createBounty();
        assertSeen(requester, start);
    }

    /// when a wallet pitches: it counts its age from then
    function test_CountsFromAPitch() external {
        bytes32 taskId = create(aPitchTask());
        skip(1);
        expectFirstSeen(alice);
        pitch(taskId, alice);
        assertSeen(alice, start + 1);
        assertEq(bonus.lockOf(taskId).price, 0);
    }

    /// when a wallet bids: it counts its age from then
    function test_CountsFromABid() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        skip(1);
        expectFirstSeen(alice);
        bid(taskId, alice, REWARD / 2);
        assertSeen(alice, start + 1);
        assertEq(bonus.lockOf(taskId).price, 0);
    }

    /// when a wallet claims: it counts its age from then
    function test_CountsFromAClaim() external {
        bytes32 taskId = create(aClaim());
        skip(1);
        expectFirstSeen(alice);
        claim(taskId, alice);
        assertSeen(alice, start + 1);
    }

    /// when a wallet takes a clock price: it counts its age from then
    function test_CountsFromAClockPrice() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        skip(1);
        expectFirstSeen(alice);
        vm.prank(alice);
        market.acceptAuction(taskId, 0);
        assertSeen(alice, start + 1);
    }

    /// when a wallet submits to a contest: it counts its age from then
    function test_CountsFromASubmission() external {
        bytes32 taskId = createBounty();
        skip(1);
        expectFirstSeen(alice);
        submit(taskId, alice, "a1");
        assertSeen(alice, start + 1);
    }

    /// when a wallet is awarded in a task from before the programme: it earns nothing and has no age
    function test_IgnoresEarlierTasks() external {
        vm.prank(owner);
        market.setDefaultHooks(new address[](0));
        bytes32 taskId = createBounty();
        setDefault(address(bonus));
        finish(taskId);
        assertClaimable(0, 0);
        assertSeen(alice, 0);
    }

    /// when a wallet takes part again: it keeps its first time
    function test_KeepsTheFirstTime() external {
        createBounty();
        skip(1 weeks);
        createBounty();
        assertSeen(requester, start);
    }

    /// when the hook is not a default hook of the task: it records nothing
    function test_IgnoresBeingNamedByARequester() external {
        vm.prank(owner);
        market.setDefaultHooks(new address[](0));
        CreateTaskParams memory params = aClaim();
        params.hooks = asList(address(bonus));
        createFinished(params);
        params = aBounty();
        params.hooks = asList(address(bonus));
        finish(create(params));
        assertClaimable(0, 0);
        assertSeen(requester, 0);
        assertSeen(alice, 0);
    }

    function expectFirstSeen(address account) private {
        vm.expectEmit(address(bonus));
        emit WalletFirstSeen(account, block.timestamp);
    }

    function assertSeen(address account, uint256 time) private view {
        assertEq(bonus.accountOf(account).firstSeen, time);
    }
}
