// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {BoundedCall} from "../libraries/BoundedCall.sol";

/// @title Name, symbol and decimals of a token
/// @notice Each call to the token gets a fixed amount of gas. A name or symbol of more than 64 bytes is not accepted.
/// The token returns a name or symbol as an ABI string or, like some early tokens, as one word padded with zeros.
library TokenText {
    /// @dev Gas limit of one call to the token, for its name, symbol or decimals.
    uint256 private constant TEXT_GAS = 50_000;
    /// @dev The greatest accepted length of a name or symbol, in bytes.
    uint256 private constant MAX_TEXT = 64;
    /// @dev The highest number of bytes that are read from an answer: offset, length and text.
    uint256 private constant MAX_ANSWER = 0x40 + MAX_TEXT;

    /// @dev Returns whether the token has a name, and the name; empty if the token has none.
    function nameOf(address token) internal view returns (bool, bytes memory) {
        return _textOf(BoundedCall.readBytes(token, TEXT_GAS, abi.encodeCall(IERC20Metadata.name, ()), MAX_ANSWER));
    }

    /// @dev Returns whether the token has a symbol, and the symbol; empty if the token has none.
    function symbolOf(address token) internal view returns (bool, bytes memory) {
        return _textOf(BoundedCall.readBytes(token, TEXT_GAS, abi.encodeCall(IERC20Metadata.symbol, ()), MAX_ANSWER));
    }

    /// @dev Returns true and the decimals if the token returned decimals below 256; else false and 0.
    function decimalsOf(address token) internal view returns (bool, uint8) {
        (bool ok, uint256 word) = BoundedCall.readWord(token, TEXT_GAS, abi.encodeCall(IERC20Metadata.decimals, ()));
        // forge-lint: disable-next-line(unsafe-typecast)
        return ok && word <= type(uint8).max ? (true, uint8(word)) : (false, 0);
    }

    /// @dev Decodes a name or symbol. Returns true and the text. Returns false and an empty text if the answer contains
    /// no text.
    /// @param answer The first bytes of the token's answer; empty if the call failed.
    function _textOf(bytes memory answer) private pure returns (bool, bytes memory) {
        if (answer.length == 0x20) return _wordText(answer);
        if (answer.length < 0x40) return (false, "");
        (uint256 offset, uint256 length) = abi.decode(answer, (uint256, uint256));
        if (offset != 0x20 || length == 0 || length > answer.length - 0x40) return (false, "");
        bytes memory text = new bytes(length);
        for (uint256 i; i < length; i++) {
            text[i] = answer[0x40 + i];
        }
        return (true, text);
    }

    /// @dev Decodes a text from one word that is padded with zeros. Returns true and the text. Returns false and an
    /// empty text if the word contains no text.
    function _wordText(bytes memory word) private pure returns (bool, bytes memory) {
        uint256 length;
        while (length < 0x20 && word[length] != 0) length++;
        bytes memory text = new bytes(length);
        for (uint256 i; i < length; i++) {
            text[i] = word[i];
        }
        return (length > 0, text);
    }
}
