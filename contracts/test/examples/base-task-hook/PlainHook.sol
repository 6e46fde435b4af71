// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BaseTaskHook} from "../../../hooks/BaseTaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";

/// @title A hook that overrides nothing
contract PlainHook is BaseTaskHook {
    constructor(ITaskMarket taskMarket) BaseTaskHook(taskMarket) {}
}
