// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Test} from "forge-std/Test.sol";
import {Hex} from "../../src/forwarder/Hex.sol";
import {PackedRoute, PackedRoutes} from "../../src/forwarder/PackedRoute.sol";
import {SignedMessage} from "../../src/forwarder/SignedMessage.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {RelayMode, Route, SuffixRule} from "../../src/types/RelayTypes.sol";

/// @notice Compares the forwarder's handwritten hashing with OpenZeppelin's functions.
contract RelayMessageTest is Test {
    /// when a word is written in hex: it writes the digits OpenZeppelin writes
    function test_WritesHex(bytes32 word) external pure {
        (bytes32 left, bytes32 right) = Hex.digitsOf(word);
        assertEq(string.concat("0x", string(abi.encodePacked(left, right))), Strings.toHexString(uint256(word), 32));
    }

    /// when a message is hashed: it hashes what string concatenation gives
    function test_HashesTheMessage(
        bytes32 service,
        uint8 serviceLength,
        bytes30 verb,
        uint8 verbLength,
        bytes32 taskId,
        bytes calldata x
    ) external view {
        string memory serviceName = cut(service, serviceLength % 32);
        string memory verbText = cut(verb, verbLength % 31);
        assertEq(
            this.hash(serviceName, verbText, taskId, string(x)), expected(serviceName, verbText, taskId, string(x))
        );
    }

    /// when a message is hashed: it hashes messages of every number of digits in their length
    function test_HashesEveryLength() external view {
        // 68 bytes are fixed and 13 are the names: lengths on both sides of 100, 1000 and 10000.
        uint256[6] memory lengths = [uint256(18), 19, 918, 919, 9918, 9919];
        for (uint256 i; i < lengths.length; i++) {
            string memory suffix = string(new bytes(lengths[i]));
            assertEq(this.hash("service", "submit", "id", suffix), expected("service", "submit", "id", suffix));
        }
    }

    /// when a message is hashed: it hashes the message of an empty service verb and suffix
    function test_HashesEmptyParts() external view {
        assertEq(this.hash("", "", "id", ""), expected("", "", "id", ""));
    }

    /// when a message is hashed: it leaves what is in memory as it was
    function test_LeavesMemory() external view {
        (uint256 before, uint256 afterwards) = this.memoryAround("service", "submit", "id", ":suffix");
        assertEq(before, afterwards);
    }

    /// when a route is packed: it unpacks to what it was
    function test_UnpacksRoutes(uint8 relayModes, uint8 rule, bytes30 verb, uint8 length) external view {
        SuffixRule suffixRule = SuffixRule(rule % 3);
        string memory text = cut(verb, length % 31);
        PackedRoute route = this.pack(Route(address(1), 0, relayModes, suffixRule, text));
        assertEq(route.relayModes(), relayModes);
        assertEq(uint8(route.suffixRule()), uint8(suffixRule));
        assertEq(route.verb(), text);
        for (uint8 mode; mode < 4; mode++) {
            assertEq(route.allows(RelayMode(mode)), (relayModes >> mode) & 1 == 1);
        }
        assertEq(route.allows(RelayMode.Bound), route.allows(RelayMode.Paid));
    }

    /// when a route is packed: it reverts with VerbTooLong beyond 30 bytes
    function test_RevertWhen_VerbTooLong() external {
        string memory verb = "a verb of thirty-one characters";
        assertEq(bytes(verb).length, 31);
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.VerbTooLong.selector, verb));
        this.pack(Route(address(1), 0, 15, SuffixRule.None, verb));
    }

    // --- The code under test takes call data ---

    function pack(Route calldata route) external pure returns (PackedRoute) {
        return PackedRoutes.pack(route);
    }

    function hash(string calldata service, string calldata verb, bytes32 taskId, string calldata suffix)
        external
        view
        returns (bytes32)
    {
        PackedRoute route = this.pack(Route(address(1), 0, 15, SuffixRule.Content, verb));
        return SignedMessage.hash(ShortStrings.toShortString(service), route, taskId, suffix);
    }

    function memoryAround(string calldata service, string calldata verb, bytes32 taskId, string calldata suffix)
        external
        view
        returns (uint256 before, uint256 afterwards)
    {
        PackedRoute route = this.pack(Route(address(1), 0, 15, SuffixRule.Content, verb));
        ShortString name = ShortStrings.toShortString(service);
        string memory tail = suffix;
        assembly ("memory-safe") {
            before := keccak256(0, mload(0x40))
        }
        SignedMessage.hash(name, route, taskId, tail);
        assembly ("memory-safe") {
            afterwards := keccak256(0, mload(0x40))
        }
    }

    function expected(string memory service, string memory verb, bytes32 taskId, string memory suffix)
        private
        pure
        returns (bytes32)
    {
        string memory id = Strings.toHexString(uint256(taskId), 32);
        return MessageHashUtils.toEthSignedMessageHash(bytes(string.concat(service, ":", verb, ":", id, suffix)));
    }

    /// @dev The first bytes of a word as a string.
    function cut(bytes32 word, uint256 length) private pure returns (string memory) {
        bytes memory text = abi.encodePacked(word);
        assembly ("memory-safe") {
            mstore(text, length)
        }
        return string(text);
    }
}
