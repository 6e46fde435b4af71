// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Lower-case hex digits of a word
/// @notice Converts all digits at once, without a loop.
library Hex {
    /// @dev A 32-byte word in which every byte is the character "0".
    bytes32 private constant ZEROS = "00000000000000000000000000000000";

    /// @dev Returns the 64 hex digits of a 32-byte word.
    /// @return left The first 32 digits.
    /// @return right The last 32 digits.
    function digitsOf(bytes32 word) internal pure returns (bytes32 left, bytes32 right) {
        left = _digitsOf(uint256(word) >> 128);
        right = _digitsOf(uint128(uint256(word)));
    }

    /// @dev Returns a colon and the address in lower-case hex, for example `:0x3063...86b6`.
    function textOf(address account) internal pure returns (bytes memory text) {
        (bytes32 left, bytes32 right) = digitsOf(bytes32(bytes20(account)));
        // The last 8 of 40 digits.
        // forge-lint: disable-next-line(unsafe-typecast)
        return abi.encodePacked(":0x", left, bytes8(right));
    }

    /// @dev Returns the 32 hex digits of a 128-bit number. Five steps put one digit (4 bits) into each of 32 bytes.
    /// Each step halves every group of digits and moves the halves apart. Finally every byte becomes the digit's
    /// character.
    function _digitsOf(uint256 half) private pure returns (bytes32) {
        unchecked {
            half = (half | half << 64) & 0x0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff;
            half = (half | half << 32) & 0x00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff;
            half = (half | half << 16) & 0x0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff0000ffff;
            half = (half | half << 8) & 0x00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff;
            half = (half | half << 4) & 0x0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f;
            // 1 in every byte that holds 10 to 15: their sum with 6 has its fifth bit set.
            uint256 letters = ((half + 0x0606060606060606060606060606060606060606060606060606060606060606) >> 4)
                & 0x0101010101010101010101010101010101010101010101010101010101010101;
            // "a" comes 39 characters after the one that follows "9".
            return bytes32(uint256(ZEROS) + half + letters * 39);
        }
    }
}
