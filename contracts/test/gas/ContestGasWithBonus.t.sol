// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusTest} from "../bonus/support/BonusTest.sol";
import {ContestGasTest} from "./ContestGas.t.sol";
import {GasTest} from "./GasTest.sol";

/// @title Contests of a market whose default hook credits token bonuses
/// @notice The programme has seen and credited every account before.
contract ContestGasWithBonusTest is ContestGasTest, BonusTest {
    function setUp() public override(GasTest, BonusTest) {
        super.setUp();
        bytes32 taskId = createBounty();
        submit(taskId, bob, "x");
        createCompleted();
    }
}
