// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @dev Address of the programme's code while `StarvedHook` replaces it.
address constant STARVED_PROGRAMME = address(0x57A2);

/// @title A programme that never has the gas it needs, and each time lacks another part of it
contract StarvedHook {
    fallback() external {
        uint256 allowance = uint256(keccak256(abi.encode(msg.data, gasleft()))) % 150_000;
        (bool ok, bytes memory answer) = STARVED_PROGRAMME.delegatecall{gas: allowance}(msg.data);
        assembly ("memory-safe") {
            if iszero(ok) { revert(add(answer, 0x20), mload(answer)) }
            return(add(answer, 0x20), mload(answer))
        }
    }
}
