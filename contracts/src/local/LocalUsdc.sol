// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LocalFiatToken} from "./LocalFiatToken.sol";

/// @title USDC of a local chain that stands in for Base
contract LocalUsdc is LocalFiatToken {
    // forge-lint: disable-next-line(screaming-snake-case-const)
    string public constant name = "USD Coin";

    function _nameHash() internal pure override returns (bytes32) {
        return keccak256("USD Coin");
    }
}
