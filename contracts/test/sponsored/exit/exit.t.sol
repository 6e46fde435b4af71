// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FundingProblems} from "../../../src/sponsored/FundingProblems.sol";
import {ISponsoredVault, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract SponsoredExitTest is SponsoredTest {
    event ExitAnnounced(uint256 exitAt);
    event Exited(address indexed to, uint256 epoch, uint256 defaulted, uint256 returned, VaultTotals totals);

    /// when the notice has run: it returns everything but platform fees, once
    function test_Returns() external {
        createCredited();
        createSponsored();
        announceAndExit();
        assertEq(token.balanceOf(sponsor), FUNDS - FEE);
        assertTotals(0, 0, 0, FEE);
        assertTrue(vault.isExited());
        assertEq(vault.epoch(), 1);
        vm.startPrank(sponsor);
        vm.expectRevert(ISponsoredVault.VaultNotActive.selector);
        vault.exit(sponsor);
        vm.expectRevert(ISponsoredVault.VaultNotActive.selector);
        vault.fund(1);
    }

    /// when the notice has run: it logs what is defaulted and the new epoch
    function test_Logs() external {
        createCredited();
        vm.prank(sponsor);
        vault.announceExit();
        vm.warp(block.timestamp + 7 days);
        vm.expectEmit(address(vault));
        emit Exited(stranger, 1, NET, FUNDS - FEE, VaultTotals(0, 0, 0, FEE, 0));
        vm.prank(sponsor);
        vault.exit(stranger);
        assertEq(token.balanceOf(stranger), FUNDS - FEE);
    }

    /// when the notice has run: it leaves the fees to the platform
    function test_LeavesFees() external {
        createCredited();
        announceAndExit();
        vm.prank(stranger);
        assertEq(vault.collectFees(), FEE);
        assertEq(token.balanceOf(feeRecipient), FEE);
        assertTotals(0, 0, 0, 0);
        vm.expectRevert(ISponsoredVault.NothingToCollect.selector);
        vault.collectFees();
    }

    /// when tokens had arrived past fund: it returns them, too
    function test_Donations() external {
        token.mint(address(vault), 7);
        announceAndExit();
        assertEq(token.balanceOf(sponsor), FUNDS + 7);
    }

    /// when no tokens are left: it makes no transfer
    function test_NoTransfer() external {
        vm.prank(sponsor);
        vault.withdrawAvailable(sponsor, FUNDS);
        token.script(HostileToken.Behaviour.RevertTransfers);
        announceAndExit();
        assertTrue(vault.isExited());
    }

    /// when it is not announced, or the notice runs: it reverts with ExitNotDue
    function test_NotDue() external {
        vm.startPrank(sponsor);
        expectError(ISponsoredVault.ExitNotDue.selector, uint256(0));
        vault.exit(sponsor);
        vault.announceExit();
        uint256 due = block.timestamp + 7 days;
        vm.warp(due - 1);
        expectError(ISponsoredVault.ExitNotDue.selector, due);
        vault.exit(sponsor);
    }

    /// when it is announced twice: it reverts with ExitAlreadyAnnounced
    function test_AnnouncedTwice() external {
        vm.startPrank(sponsor);
        vault.announceExit();
        expectError(ISponsoredVault.ExitAlreadyAnnounced.selector, block.timestamp + 7 days);
        vault.announceExit();
    }

    /// when it is announced: it logs when the exit is due
    function test_LogsTheNotice() external {
        vm.expectEmit(address(vault));
        emit ExitAnnounced(block.timestamp + 7 days);
        vm.prank(sponsor);
        vault.announceExit();
    }

    /// when it is announced: it stops charges and takes funds until the exit
    function test_Announced() external {
        vm.prank(sponsor);
        vault.announceExit();
        fundVault(1);
        assertTotals(FUNDS + 1, 0, 0, 0);
        assertEq(hook.problemsOf(vault.vaultId(), requester, GROSS), FundingProblems.VAULT_NOT_ACTIVE);
    }

    /// when another account calls: it reverts with NotTheOwner
    function test_OtherAccount() external {
        vm.startPrank(stranger);
        expectError(ISponsoredVault.NotTheOwner.selector, stranger);
        vault.announceExit();
        expectError(ISponsoredVault.NotTheOwner.selector, stranger);
        vault.exit(stranger);
    }
}
