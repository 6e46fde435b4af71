// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FundingProblems} from "../../../src/sponsored/FundingProblems.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract ProblemsOfTest is SponsoredTest {
    /// when a creation would succeed: it is zero
    function test_None() external {
        assertEq(problems(GROSS), 0);
        createSponsored();
    }

    /// when there is exactly enough: it is zero
    function test_ExactlyEnough() external {
        vm.startPrank(sponsor);
        vault.setManager(requester, GROSS, true);
        vault.setFeeCredit(FEE);
        vault.withdrawAvailable(sponsor, FUNDS - GROSS);
        vm.stopPrank();
        assertEq(problems(GROSS), 0);
        createSponsored();
        assertTotals(0, GROSS, 0, 0);
    }

    /// when the vault is unknown: it is HOOK_NOT_CONFIGURED
    function test_Unknown() external view {
        assertEq(hook.problemsOf(keccak256("none"), requester, GROSS), FundingProblems.HOOK_NOT_CONFIGURED);
    }

    /// when one thing is missing: it is the bit of that
    function test_EachBit() external {
        uint256 before = vm.snapshotState();
        vm.startPrank(sponsor);
        vault.announceExit();
        expectProblem(before, FundingProblems.VAULT_NOT_ACTIVE);
        vault.setManager(requester, CAP, false);
        expectProblem(before, FundingProblems.MANAGER_NOT_ACTIVE);
        vault.setManager(requester, GROSS - 1, true);
        expectProblem(before, FundingProblems.MANAGER_CAP_EXCEEDED);
        token.script(HostileToken.Behaviour.RevertBalances);
        expectProblem(before, FundingProblems.VAULT_INSOLVENT);
        vault.withdrawAvailable(sponsor, FUNDS - GROSS + 1);
        expectProblem(before, FundingProblems.VAULT_INSUFFICIENT_AVAILABLE);
        vault.setCharger(address(hook), false);
        expectProblem(before, FundingProblems.HOOK_NOT_AUTHORIZED_CHARGER);
        vault.setFeeCredit(FEE - 1);
        expectProblem(before, FundingProblems.INSUFFICIENT_FEE_CREDIT);
    }

    /// when everything is missing: it is all the bits of a vault
    function test_AllBits() external {
        vm.startPrank(sponsor);
        vault.setManager(requester, 0, false);
        vault.setCharger(address(hook), false);
        vault.setFeeCredit(0);
        vault.withdrawAvailable(sponsor, FUNDS);
        vault.announceExit();
        token.mint(address(vault), 1);
        token.script(HostileToken.Behaviour.RevertBalances);
        assertEq(problems(GROSS), 0xfe);
    }

    /// when the amount is above 128 bits: it says what a creation would lack
    function test_LargeAmounts() external view {
        uint256 expected = FundingProblems.MANAGER_CAP_EXCEEDED | FundingProblems.VAULT_INSUFFICIENT_AVAILABLE
            | FundingProblems.INSUFFICIENT_FEE_CREDIT;
        assertEq(problems(uint256(1) << 128), expected);
        assertEq(problems(type(uint256).max), expected);
    }

    function problems(uint256 gross) private view returns (uint256) {
        return hook.problemsOf(vault.vaultId(), requester, gross);
    }

    function expectProblem(uint256 snapshot, uint256 problem) private {
        assertEq(problems(GROSS), problem);
        vm.revertToState(snapshot);
    }
}
