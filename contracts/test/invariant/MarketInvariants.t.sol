// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {StdInvariant} from "forge-std/StdInvariant.sol";
import {EnvironmentTest} from "./EnvironmentTest.sol";

/// @notice The laws of the market, over random sequences of everything that can happen.
contract MarketInvariantsTest is EnvironmentTest {
    function setUp() public override {
        super.setUp();
        targetContract(address(handler));
        targetSelector(StdInvariant.FuzzSelector(address(handler), handler.steps()));
    }

    /// @notice After each step: the money. What the task of a step says is compared with the logs by the step itself.
    function invariant_LawsHold() external view {
        checkMoney();
    }

    /// @notice After each run: all tasks, all accounts, and the market, against what the logs alone say.
    function afterInvariant() external view {
        checkEverything();
    }
}
