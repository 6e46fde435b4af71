// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";

/// @title A hook that fails unless it is given its whole stipend, and uses it up
contract DemandingHook {
    error Starved(uint256 gas);

    /// @dev What its dispatch may have cost before it looks.
    uint256 private constant DISPATCH = 300;

    uint256 private _stipend;
    uint256 public heard;

    constructor(uint256 stipend) {
        _stipend = stipend;
    }

    function demand(uint256 stipend) external {
        _stipend = stipend;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(ITaskHook).interfaceId;
    }

    fallback() external {
        uint256 given = gasleft();
        if (given + DISPATCH < _stipend) revert Starved(given);
        heard++;
        while (gasleft() > 1000) {}
        assembly ("memory-safe") {
            mstore(0x00, 1)
            return(0x00, 0x20)
        }
    }
}
