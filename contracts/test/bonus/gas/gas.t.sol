// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Winner} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract BonusGasTest is BonusTest {
    /// when fifty winners are paid directly: it credits all of them within the stipend
    function test_CreditsFifty() external {
        assertCreditsFifty();
    }

    /// when fifty winners are paid beside two other default hooks: it credits all of them within a third of the gas for awards
    function test_CreditsFiftyBesideOthers() external {
        address[] memory hooks = new address[](3);
        (hooks[0], hooks[1], hooks[2]) = (address(new ScriptedHook()), address(new ScriptedHook()), address(bonus));
        vm.prank(owner);
        market.setDefaultHooks(hooks);
        assertCreditsFifty();
    }

    /// @dev Wallets that the programme never saw before their award cost most: their record is written anew.
    function assertCreditsFifty() private {
        bytes32 taskId = createBounty();
        Winner[] memory winners = new Winner[](50);
        for (uint256 i; i < 50; i++) {
            winners[i] = Winner(address(uint160(0xbeef00 + i)), 200, "x");
            submit(taskId, winners[i].worker, "x");
        }
        vm.cool(address(bonus));
        vm.cool(address(market));
        split(taskId, winners);
        for (uint256 i; i < 50; i++) {
            assertEq(bonus.claimableOf(winners[i].worker), WORKER_TOKENS / 50);
        }
        assertEq(bonus.claimableOf(requester), REQUESTER_TOKENS);
    }
}
