// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookVerdict, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";

/// @title A hook that works as a rewards vault would: shares out an amount by the awards, keeps one hash, logs them all
contract LedgerHook {
    event Credited(bytes32 indexed taskId, address[] workers, uint256[] amounts);

    uint256 private constant NET = 1_000_000e18;

    uint256 public available = type(uint128).max;
    uint256 public reserved = 1;
    uint256 public spent = 1;
    mapping(bytes32 taskId => bytes32) public credits;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(ITaskHook).interfaceId;
    }

    function checkFund(bytes32, TaskContext calldata, bytes calldata) external pure returns (bool) {
        return true;
    }

    function checkSubmit(bytes32, TaskContext calldata, address, bytes32) external pure returns (bool) {
        return true;
    }

    function checkComplete(bytes32, TaskContext calldata, HookVerdict calldata) external pure returns (bool) {
        return true;
    }

    function onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) external {
        uint256 count = verdict.awards.length;
        (address[] memory workers, uint256[] memory amounts) = (new address[](count), new uint256[](count));
        uint256 sum;
        for (uint256 i; i < count; i++) {
            workers[i] = verdict.awards[i].worker;
            amounts[i] = (NET * verdict.awards[i].amount) / context.reward;
            sum += amounts[i];
        }
        credits[taskId] = keccak256(abi.encode(workers, amounts));
        (available, reserved, spent) = (available - sum, reserved + sum, spent + sum);
        emit Credited(taskId, workers, amounts);
    }
}
