// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Test} from "forge-std/Test.sol";

/// @title Deploys the contracts of `src` as they are compiled for production
/// @notice Compiling the tests with the optimizer takes minutes. `scripts/contracts/test.ts` compiles them without it,
/// and names in LINKED_ARTIFACTS the folder with the optimized, linked code of `src`. Without that variable forge's own
/// artifacts are deployed, so `forge test` and `forge coverage` work alone.
abstract contract CompiledCode is Test {
    string private _folder = vm.envOr("LINKED_ARTIFACTS", string(""));

    /// @dev Places the libraries at the addresses that the linked code calls. forge links its own artifacts itself.
    function placeLibraries() internal {
        if (bytes(_folder).length == 0) return;
        // forge-lint: disable-next-line(unsafe-cheatcode)
        string memory addresses = vm.readFile(string.concat(_folder, "/libraries.json"));
        string[] memory names = vm.parseJsonKeys(addresses, "$");
        for (uint256 i; i < names.length; i++) {
            deployTo(names[i], vm.parseJsonAddress(addresses, string.concat(".", names[i])));
        }
    }

    /// @dev `arguments` of the constructor, ABI-encoded.
    function deploy(string memory name, bytes memory arguments) internal returns (address) {
        return vm.deployCode(pathOf(name), arguments);
    }

    /// @dev Deploys in a call of its own, for a deployment that fails: within the test's own call it would end the
    /// test.
    function deployApart(string calldata name, bytes calldata arguments) external returns (address) {
        return deploy(name, arguments);
    }

    function deployTo(string memory name, address where) internal {
        deployCodeTo(pathOf(name), where);
    }

    /// @dev Deploys to an address, with the constructor's arguments, ABI-encoded.
    function deployTo(string memory name, bytes memory arguments, address where) internal {
        deployCodeTo(pathOf(name), arguments, where);
    }

    function pathOf(string memory name) private view returns (string memory) {
        if (bytes(_folder).length == 0) return string.concat(name, ".sol:", name);
        return string.concat(_folder, "/", name, ".json");
    }
}
