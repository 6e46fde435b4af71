// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FundingTerms} from "../../../src/interfaces/ISponsoredTasksHook.sol";
import {ClaimTo, ISponsoredVault, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {FundingProblems} from "../../../src/sponsored/FundingProblems.sol";
import {CreateTaskParams, Winner} from "../../../src/types/TaskTypes.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {AnsweringToken} from "../support/AnsweringToken.sol";
import {SilentToken} from "../support/SilentToken.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract VaultTokensTest is SponsoredTest {
    event Funded(address indexed from, uint256 amount, VaultTotals totals);
    event AvailableWithdrawn(address indexed to, uint256 amount, VaultTotals totals);
    event FeesCollected(address indexed to, uint256 amount, VaultTotals totals);

    /// when tokens arrive or leave: it logs the amount and the totals
    function test_Logs() external {
        createCredited();
        token.mint(sponsor, 5);
        vm.startPrank(sponsor);
        uint128 available = FUNDS - GROSS;
        vm.expectEmit(address(vault));
        emit Funded(sponsor, 5, VaultTotals(available + 5, 0, NET, FEE, FEE_CREDIT - FEE));
        vault.fund(5);
        vm.expectEmit(address(vault));
        emit AvailableWithdrawn(destination, 7, VaultTotals(available - 2, 0, NET, FEE, FEE_CREDIT - FEE));
        vault.withdrawAvailable(destination, 7);
        vm.expectEmit(address(vault));
        emit FeesCollected(feeRecipient, FEE, VaultTotals(available - 2, 0, NET, 0, FEE_CREDIT - FEE));
        vault.collectFees();
    }

    /// when nothing arrives: it reverts with ZeroAmount
    function test_NothingArrives() external {
        vm.expectRevert(ISponsoredVault.ZeroAmount.selector);
        vault.fund(0);
        vault = openVault(address(new AnsweringToken(abi.encode(uint256(1)), 0)), "answering");
        vm.expectRevert(ISponsoredVault.ZeroAmount.selector);
        vault.fund(1);
    }

    /// when the token takes a fee of receivers: it counts what arrived
    function test_CountsWhatArrived() external {
        token.script(HostileToken.Behaviour.Fee);
        token.mint(sponsor, 1000);
        vm.prank(sponsor);
        assertEq(vault.fund(1000), 900);
        assertTotals(FUNDS + 900, 0, 0, 0);
    }

    /// when the token takes a fee of receivers: it pays claims out of what it counts
    function test_PaysWithAFee() external {
        bytes32 taskId = createSettled();
        token.script(HostileToken.Behaviour.Fee);
        payClaim(aClaimOf(taskId));
        assertEq(token.balanceOf(destination), NET * 9 / 10);
        assertTotals(FUNDS - GROSS, 0, 0, FEE);
    }

    /// when the token charges the sender: it reverts with UnsupportedToken
    function test_SenderFee() external {
        bytes32 taskId = createSettled();
        token.script(HostileToken.Behaviour.SenderFee);
        expectClaimError(taskId, ISponsoredVault.UnsupportedToken.selector);
    }

    /// when a transfer fails: it reverts with TransferFailed and the claim is unpaid
    function test_FailedTransfer() external {
        bytes32 taskId = createSettled();
        token.script(HostileToken.Behaviour.RevertTransfers);
        expectClaimError(taskId, ISponsoredVault.TransferFailed.selector);
        token.script(HostileToken.Behaviour.RefuseTransfers);
        expectClaimError(taskId, ISponsoredVault.TransferFailed.selector);
        token.script(HostileToken.Behaviour.None);
        payClaim(aClaimOf(taskId));
        assertEq(token.balanceOf(destination), NET);
    }

    /// when the token blacklists: it pays every other account, and the worker elsewhere
    function test_ListedDestination() external {
        (bytes32 first, bytes32 second) = (createSettled(), createSettled());
        token.scriptBlacklist(destination, true);
        expectClaimError(first, ISponsoredVault.TransferFailed.selector);
        ClaimTo memory claim_ = aClaimOf(second);
        claim_.destination = stranger;
        payClaim(claim_);
        claim_ = aClaimOf(first);
        claim_.destination = stranger;
        payClaim(claim_);
        assertEq(token.balanceOf(stranger), 2 * NET);
    }

    /// when the token blacklists: it pays later where the vault itself was listed, and the market's money does not wait
    function test_ListedVault() external {
        bytes32 taskId = createSponsored();
        submit(taskId, alice, "a1");
        token.scriptBlacklist(address(vault), true);
        uint256 balance = usdc.balanceOf(alice);
        accept(taskId, alice, "a1");
        assertGt(usdc.balanceOf(alice), balance, "alice has the USDC");
        hook.installSettlement(taskId, asList(alice), amountsOf(REWARD));
        expectClaimError(taskId, ISponsoredVault.TransferFailed.selector);
        token.scriptBlacklist(address(vault), false);
        payClaim(aClaimOf(taskId));
        assertEq(token.balanceOf(destination), NET);
    }

    /// when the token has no decimals: it divides whole units and gives the rest back
    function test_WholeUnits() external {
        token.setDecimals(0);
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook));
        FundingTerms memory terms = fundingTerms(termsHashOf(params));
        terms.gross = 5;
        params.hookData = abi.encode(terms);
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        Winner[] memory winners = new Winner[](2);
        (winners[0], winners[1]) = (Winner(alice, 6_500, "a1"), Winner(bob, 3_500, "b1"));
        split(taskId, winners);
        // Of 5 units three and a quarter are alice's, one and three quarters bob's; the fee is less than one.
        assertTotals(FUNDS - 4, 0, 4, 0);
        address[] memory workers = new address[](2);
        (workers[0], workers[1]) = (alice, bob);
        hook.installSettlement(taskId, workers, amountsOf(REWARD * 65 / 100, REWARD * 35 / 100));
        ClaimTo memory claim_ = aClaimOf(taskId);
        claim_.amount = 3;
        bytes32[] memory proof = new bytes32[](1);
        proof[0] = leafOf(taskId, 1, bob, 1);
        vault.claimTo(claim_, proof, signClaim(aliceKey, claim_));
        assertEq(token.balanceOf(destination), 3);
        assertTotals(FUNDS - 4, 0, 1, 0);
    }

    /// when the token calls back: it reverts the call with Reentered and goes on
    function test_CallsBack() external {
        bytes32 taskId = createSettled();
        ClaimTo memory claim_ = aClaimOf(taskId);
        bytes memory again = abi.encodeCall(vault.claimTo, (claim_, new bytes32[](0), signClaim(aliceKey, claim_)));
        token.scriptCallback(address(vault), again);
        payClaim(claim_);
        assertReentered();
        token.scriptCallback(address(vault), abi.encodeCall(vault.fund, (0)));
        fundVault(1);
        assertReentered();
        assertTotals(FUNDS - GROSS + 1, 0, 0, FEE);
        bytes memory collect = abi.encodeCall(vault.collectFees, ());
        token.scriptCallback(address(vault), collect);
        vm.prank(sponsor);
        vault.withdrawAvailable(sponsor, 1);
        assertReentered();
        token.scriptCallback(address(vault), collect);
        vault.collectFees();
        assertReentered();
        assertTotals(FUNDS - GROSS, 0, 0, 0);
        token.scriptCallback(address(vault), collect);
        announceAndExit();
        assertReentered();
    }

    /// when the token returns nothing: it funds and pays
    function test_Silent() external {
        SilentToken silent = new SilentToken();
        silent.mint(sponsor, FUNDS);
        vault = openVault(address(silent), "silent");
        vm.prank(sponsor);
        vault.fund(FUNDS);
        payClaim(aClaimOf(createSettled()));
        assertEq(silent.balanceOf(destination), NET);
    }

    /// when balances shrink: it pays what is there and takes no new charge
    function test_Shrinks() external {
        bytes32 taskId = createSettled();
        token.burn(address(vault), FUNDS - NET);
        assertEq(hook.problemsOf(vault.vaultId(), requester, GROSS), FundingProblems.VAULT_INSOLVENT);
        payClaim(aClaimOf(taskId));
        assertEq(token.balanceOf(destination), NET);
        announceAndExit();
        assertEq(token.balanceOf(sponsor), 0);
    }

    /// when the owner withdraws: it sends what is available, and no more
    function test_Withdraws() external {
        createCredited();
        createSponsored();
        vm.startPrank(sponsor);
        uint128 available = FUNDS - 2 * GROSS;
        expectError(ISponsoredVault.InsufficientAvailable.selector, available + 1, available);
        vault.withdrawAvailable(sponsor, available + 1);
        vault.withdrawAvailable(sponsor, available);
        assertTotals(0, GROSS, NET, FEE);
        vm.expectRevert(ISponsoredVault.ZeroAmount.selector);
        vault.withdrawAvailable(sponsor, 0);
    }

    /// when the owner withdraws: it sends nothing while tokens are missing, nor fees to the platform
    function test_WorkersFirst() external {
        bytes32 taskId = createSettled();
        token.burn(address(vault), 1);
        vm.prank(sponsor);
        vm.expectRevert(ISponsoredVault.VaultInsolvent.selector);
        vault.withdrawAvailable(sponsor, 1);
        vm.expectRevert(ISponsoredVault.VaultInsolvent.selector);
        vault.collectFees();
        payClaim(aClaimOf(taskId));
        assertEq(token.balanceOf(destination), NET);
        token.mint(address(vault), 1);
        assertEq(vault.collectFees(), FEE);
    }

    /// when the owner withdraws: it reverts for another account
    function test_OtherAccount() external {
        vm.startPrank(stranger);
        expectError(ISponsoredVault.NotTheOwner.selector, stranger);
        vault.withdrawAvailable(stranger, 1);
        expectError(ISponsoredVault.NotTheOwner.selector, stranger);
        vault.setManager(stranger, CAP, true);
        expectError(ISponsoredVault.NotTheOwner.selector, stranger);
        vault.setCharger(stranger, true);
        expectError(ISponsoredVault.NotTheOwner.selector, stranger);
        vault.setFeeCredit(0);
    }

    function assertReentered() private view {
        assertEq(token.callbackError(), ISponsoredVault.Reentered.selector);
    }

    function expectClaimError(bytes32 taskId, bytes4 selector) private {
        ClaimTo memory claim_ = aClaimOf(taskId);
        bytes memory signature = signClaim(aliceKey, claim_);
        vm.expectRevert(selector);
        vault.claimTo(claim_, new bytes32[](0), signature);
    }
}
