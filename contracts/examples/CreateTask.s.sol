// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Script} from "forge-std/Script.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams} from "../src/types/TaskTypes.sol";

/// @title Example: creating a bounty with a hook by direct calls to the market
/// @notice Creates the task for the account whose private key is given. Start it with: forge script
/// examples/CreateTask.s.sol --sig "run(address,address)" MARKET HOOK --rpc-url URL --private-key KEY --broadcast
/// --gas-estimate-multiplier 300
contract CreateTask is Script {
    /// @notice Approves the transfer of the reward to the market and creates the task.
    /// @return taskId Id of the task, a bounty of 2 USDC that is open for a day.
    function run(ITaskMarket market, address hook) external returns (bytes32 taskId) {
        CreateTaskParams memory params;
        params.mode = bytes4(keccak256("TMP.mode.bounty"));
        params.reward = 2e6;
        params.duration = 1 days;
        params.contentHash = keccak256("what is to be done, as published elsewhere");
        params.hooks = new address[](1);
        params.hooks[0] = hook;
        vm.startBroadcast();
        IERC20(market.usdc()).approve(address(market), params.reward);
        taskId = market.createTask(params);
        vm.stopBroadcast();
    }
}
