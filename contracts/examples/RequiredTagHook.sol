// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Example: a hook that admits only tasks with a tag from a list
/// @notice Refuses the creation of a task that has no tag on the list. Hooks receive tags only at the creation, as the
/// keccak256 of their UTF-8 text. A private task has no tags and is therefore refused. The list never changes.
contract RequiredTagHook is BaseTaskHook {
    /// @notice The list must contain at least one tag.
    error NoTags();

    /// @notice Returns whether the tag with this hash is on the list.
    mapping(bytes32 tagHash => bool) public isListed;

    /// @param taskMarket The market, the only account that may call the functions of the hook ABI.
    /// @param tags Tags on the list, as plain text, for example "solidity".
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
