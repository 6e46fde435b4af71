// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract VaultSettingsTest is SponsoredTest {
    event FeeCreditSet(VaultTotals totals);
    event ManagerSet(address indexed manager, uint256 spendCap, uint256 spent, bool active);
    event ChargerSet(address indexed hook, bool allowed);

    /// when the owner sets a manager: it logs the cap, what the manager spent and whether it is active
    function test_Manager() external {
        createSponsored();
        vm.startPrank(sponsor);
        vm.expectEmit(address(vault));
        emit ManagerSet(requester, 1, GROSS, false);
        vault.setManager(requester, 1, false);
    }

    /// when the owner sets a charger: it logs the hook and whether it is allowed
    function test_Charger() external {
        vm.startPrank(sponsor);
        vm.expectEmit(address(vault));
        emit ChargerSet(address(hook), false);
        vault.setCharger(address(hook), false);
        assertFalse(vault.isCharger(address(hook)));
        vm.expectEmit(address(vault));
        emit ChargerSet(stranger, true);
        vault.setCharger(stranger, true);
        assertTrue(vault.isCharger(stranger));
    }

    /// when the owner sets the fee credit: it logs the totals
    function test_FeeCredit() external {
        createSponsored();
        vm.startPrank(sponsor);
        vm.expectEmit(address(vault));
        emit FeeCreditSet(VaultTotals(FUNDS - GROSS, GROSS, 0, 0, 3));
        vault.setFeeCredit(3);
    }
}
