// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Example: a hook that admits only tasks with a listed tag
/// @notice Hooks receive tags at the creation only, as keccak256 of their UTF-8 text. Private tasks have none and are
/// refused. The list is fixed.
contract RequiredTagHook is BaseTaskHook {
    /// @notice The list must have a tag.
    error NoTags();

    /// @notice Returns whether a tag's hash is listed.
    mapping(bytes32 tagHash => bool) public isListed;

    /// @param taskMarket The only caller of the hook's steps.
    /// @param tags Listed tags in clear text, for example "solidity".
    constructor(ITaskMarket taskMarket, string[] memory tags) BaseTaskHook(taskMarket) {
        if (tags.length == 0) revert NoTags();
        for (uint256 i; i < tags.length; i++) {
            isListed[keccak256(bytes(tags[i]))] = true;
        }
    }

    function _checkFund(bytes32, TaskContext calldata context, bytes calldata) internal view override returns (bool) {
        for (uint256 i; i < context.tags.length; i++) {
            if (isListed[context.tags[i]]) return true;
        }
        return false;
    }
}
