// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IBonusHook} from "../../../src/interfaces/IBonusHook.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {BonusTest} from "../support/BonusTest.sol";
import {HostileToken} from "../../support/HostileToken.sol";

contract WithdrawTest is BonusTest {
    HostileToken private hostile;
    address private destination = makeAddr("destination");

    event BonusWithdrawn(address indexed account, address indexed destination, uint256 amount, bytes32 nonce);

    /// when nothing is claimable: it reverts with NothingToWithdraw
    function test_RevertWhen_NothingIsClaimable() external {
        vm.prank(bob);
        expectError(IBonusHook.NothingToWithdraw.selector, bob);
        bonus.withdraw(bob);
    }

    /// when the destination would keep the tokens for ever: it reverts with InvalidDestination
    function test_RevertWhen_TheDestinationKeepsThem() external {
        finish(createBounty());
        address[3] memory destinations = [address(0), address(bonus), address(token)];
        for (uint256 i; i < destinations.length; i++) {
            vm.prank(alice);
            expectError(IBonusHook.InvalidDestination.selector, destinations[i]);
            bonus.withdraw(destinations[i]);
        }
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when the owner of a claim withdraws: it sends all of it to any destination
    function test_Withdraws() external {
        finish(createBounty());
        finish(createBounty());
        vm.prank(alice);
        assertEq(bonus.withdraw(destination), 2 * WORKER_TOKENS);
        assertEq(token.balanceOf(destination), 2 * WORKER_TOKENS);
        assertClaimable(0, 2 * REQUESTER_TOKENS);
        assertEq(token.balanceOf(address(bonus)), RESERVE - 2 * WORKER_TOKENS);
    }

    /// when the owner of a claim withdraws: it logs the withdrawal
    function test_LogsAWithdrawal() external {
        finish(createBounty());
        vm.prank(alice);
        vm.expectEmit(address(bonus));
        emit BonusWithdrawn(alice, destination, WORKER_TOKENS, 0);
        bonus.withdraw(destination);
    }

    /// when the owner of a claim withdraws: it leaves nothing to withdraw again
    function test_PaysOnce() external {
        finish(createBounty());
        vm.startPrank(alice);
        bonus.withdraw(alice);
        expectError(IBonusHook.NothingToWithdraw.selector, alice);
        bonus.withdraw(alice);
    }

    /// when the token refuses or reverts: it reverts and keeps the claim
    function test_RevertWhen_TheTokenRefuses() external {
        earnHostile();
        hostile.script(HostileToken.Behaviour.RefuseTransfers);
        vm.prank(alice);
        expectError(SafeERC20.SafeERC20FailedOperation.selector, address(hostile));
        bonus.withdraw(alice);
        hostile.script(HostileToken.Behaviour.RevertTransfers);
        vm.prank(alice);
        vm.expectRevert("transfers");
        bonus.withdraw(alice);
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when the token takes a fee from the receiver: it pays once and owes nothing
    function test_PaysATokenWithAFee() external {
        earnHostile();
        hostile.script(HostileToken.Behaviour.Fee);
        vm.prank(alice);
        bonus.withdraw(destination);
        assertEq(hostile.balanceOf(destination), WORKER_TOKENS * 9 / 10);
        assertClaimable(0, REQUESTER_TOKENS);
    }

    /// when the token takes more from the programme than it was sent: it reverts with UnsupportedToken
    function test_RevertWhen_TheTokenTakesMore() external {
        earnHostile();
        hostile.script(HostileToken.Behaviour.SenderFee);
        vm.prank(alice);
        expectError(IBonusHook.UnsupportedToken.selector);
        bonus.withdraw(destination);
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when the token calls back: it refuses a second withdrawal
    function test_RefusesASecondWithdrawalMeanwhile() external {
        earnHostile();
        hostile.mint(address(hostile), 1);
        bytes[2] memory calls = [
            abi.encodeCall(bonus.withdraw, (destination)),
            abi.encodeCall(bonus.withdrawFor, (alice, destination, "nonce", 0, ""))
        ];
        for (uint256 i; i < calls.length; i++) {
            uint256 start = vm.snapshotState();
            hostile.scriptCallback(address(bonus), calls[i]);
            vm.prank(alice);
            bonus.withdraw(destination);
            assertFalse(hostile.callbackSucceeded());
            assertEq(hostile.callbackError(), IBonusHook.Reentered.selector);
            assertEq(hostile.balanceOf(destination), WORKER_TOKENS);
            vm.revertToState(start);
        }
    }

    /// when the token calls back: it credits nothing meanwhile
    function test_CreditsNothingMeanwhile() external {
        // The token is a requester, and accepts a submission while the tokens of another are on their way.
        earnHostile();
        fund(address(hostile));
        vm.prank(address(hostile));
        bytes32 taskId = market.createTask(aBounty());
        submit(taskId, bob, "b1");
        hostile.scriptCallback(address(market), abi.encodeCall(market.acceptSubmission, (taskId, bob, "b1")));
        vm.expectEmit(address(bonus));
        emit BonusFailed(taskId, ITaskHook.onComplete.selector);
        vm.prank(alice);
        bonus.withdraw(destination);
        assertTrue(hostile.callbackSucceeded());
        assertEq(bonus.claimableOf(bob), 0);
        assertGe(hostile.balanceOf(address(bonus)), bonus.totalClaimable());
    }

    /// when the market is paused: it pays all the same
    function test_PaysWhilePaused() external {
        finish(createBounty());
        pauseEntries();
        vm.prank(alice);
        assertEq(bonus.withdraw(alice), WORKER_TOKENS);
    }

    /// @dev A programme on the hostile token, with one award credited.
    function earnHostile() private {
        hostile = new HostileToken();
        bonus = deployBonus(address(hostile));
        hostile.mint(address(bonus), RESERVE);
        setDefault(address(bonus));
        finish(createBounty());
    }
}
