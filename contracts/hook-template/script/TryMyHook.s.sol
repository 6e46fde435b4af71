// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Script, console} from "forge-std/Script.sol";
import {ITaskMarket} from "task-market-contracts/src/interfaces/ITaskMarket.sol";
import {Modes} from "task-market-contracts/src/types/Modes.sol";
import {CreateTaskParams} from "task-market-contracts/src/types/TaskTypes.sol";
import {MyHook} from "../src/MyHook.sol";

/// @title Deploys the hook, attaches it to a bounty of 2 USDC, and submits to it
contract TryMyHook is Script {
    /// @dev The market asks for the stipend of every hook before the call; forge estimates what the call used.
    uint256 private constant GAS = 3_000_000;

    function run() external {
        ITaskMarket market = ITaskMarket(vm.envAddress("MARKET"));
        CreateTaskParams memory params;
        params.mode = Modes.BOUNTY;
        params.reward = 2e6;
        params.duration = 1 days;
        params.contentHash = keccak256("what is to be done, as published elsewhere");
        params.hooks = new address[](1);

        vm.startBroadcast(vm.envUint("REQUESTER_KEY"));
        params.hooks[0] = address(new MyHook(market));
        IERC20(market.usdc()).approve(address(market), params.reward);
        bytes32 taskId = market.createTask{gas: GAS}(params);
        vm.stopBroadcast();

        vm.broadcast(vm.envUint("WORKER_KEY"));
        market.submitWork{gas: GAS}(taskId, keccak256("the delivery"));
        console.log("HOOK=%s", params.hooks[0]);
        console.log("TASK=%s", vm.toString(taskId));
    }
}
