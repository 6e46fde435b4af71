// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";

/// @title A hook that fails unless it is given its whole stipend, and uses it up
contract DemandingHook {
    error Starved(uint256 gas);

    /// @dev Most gas of its dispatch before it reads its gas.
    uint256 private constant DISPATCH = 300;

    uint256 private immutable STIPEND;
    mapping(bytes4 selector => uint256) private _more;
    uint256 public heard;

    constructor(uint256 stipend) {
        STIPEND = stipend;
    }

    /// @dev Makes one step demand gas on top of the stipend.
    function demandMore(bytes4 selector, uint256 gas) external {
        _more[selector] = gas;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(ITaskHook).interfaceId;
    }

    fallback() external {
        uint256 given = gasleft();
        if (given + DISPATCH < STIPEND + _more[msg.sig]) revert Starved(given);
        heard++;
        while (gasleft() > 1000) {}
        assembly ("memory-safe") {
            mstore(0x00, 1)
            return(0x00, 0x20)
        }
    }
}
