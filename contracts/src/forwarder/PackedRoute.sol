// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {RelayMode, Route, SuffixRule} from "../types/RelayTypes.sol";

/// @notice A route packed into one word. From the left: the verb (30 bytes, padded with zeros), the suffix rule (3
/// bits), the verb's length in bytes (5 bits), the mask of relay modes (8 bits).
type PackedRoute is bytes32;

using PackedRoutes for PackedRoute global;

/// @title Packing and reading routes
/// @notice Packs a route into one word, and reads the fields of a packed route.
library PackedRoutes {
    /// @dev The greatest length of a route's verb (a word of the signed message), in bytes.
    uint256 private constant MAX_VERB_LENGTH = 30;
    /// @dev Number of bits to the right of the verb's length in a packed route.
    uint256 private constant LENGTH_SHIFT = 8;
    /// @dev Mask for the five bits of a packed route that contain the verb's length.
    uint256 private constant LENGTH_MASK = 0x1f;
    /// @dev Number of bits to the right of the suffix rule in a packed route.
    uint256 private constant RULE_SHIFT = 13;
    /// @dev Mask for the three bits of a packed route that contain the suffix rule.
    uint256 private constant RULE_MASK = 0x7;

    /// @dev Packs a route into one word. Reverts with VerbTooLong if the verb has more than 30 bytes.
    function pack(Route calldata route) internal pure returns (PackedRoute) {
        uint256 length = bytes(route.verb).length;
        if (length > MAX_VERB_LENGTH) revert IPaymentForwarder.VerbTooLong(route.verb);
        // The conversion fills up with zeros.
        uint256 text = uint256(bytes32(bytes(route.verb)));
        uint256 rule = uint256(route.suffixRule) << RULE_SHIFT;
        return PackedRoute.wrap(bytes32(text | rule | (length << LENGTH_SHIFT) | route.relayModes));
    }

    /// @dev Returns whether the route allows the relay mode. The bit of the mode Paid also allows the mode Bound.
    function allows(PackedRoute route, RelayMode relayMode) internal pure returns (bool) {
        uint8 bit = uint8(relayMode == RelayMode.Bound ? RelayMode.Paid : relayMode);
        // forge-lint: disable-next-line(incorrect-shift)
        return uint256(PackedRoute.unwrap(route)) & (1 << bit) != 0;
    }

    /// @dev Returns the relay modes that the route allows, as a mask of `1 << RelayMode` bits.
    function relayModes(PackedRoute route) internal pure returns (uint8) {
        return uint8(uint256(PackedRoute.unwrap(route)));
    }

    /// @dev Returns the route's rule for the last part of the signed message.
    function suffixRule(PackedRoute route) internal pure returns (SuffixRule) {
        return SuffixRule((uint256(PackedRoute.unwrap(route)) >> RULE_SHIFT) & RULE_MASK);
    }

    /// @dev Returns the length of the route's verb, in bytes.
    function verbLength(PackedRoute route) internal pure returns (uint256) {
        return (uint256(PackedRoute.unwrap(route)) >> LENGTH_SHIFT) & LENGTH_MASK;
    }

    /// @dev Returns the route's verb, a word of the signed message.
    function verb(PackedRoute route) internal pure returns (string memory) {
        bytes memory text = abi.encodePacked(PackedRoute.unwrap(route));
        uint256 length = verbLength(route);
        assembly ("memory-safe") {
            mstore(text, length)
        }
        return string(text);
    }
}
