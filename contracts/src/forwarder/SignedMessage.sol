// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {SuffixRule} from "../types/RelayTypes.sol";
import {BoundCall} from "./BoundCall.sol";
import {Hex} from "./Hex.sol";
import {PackedRoute} from "./PackedRoute.sol";

/// @title Messages that actors sign for calls without a payment
/// @notice A message is `<service>:<verb>:<taskId><tail>`, with the task id in lower-case 0x hex. The actor signs it as
/// a personal_sign message (EIP-191). Example: `service:claim:0xa1a1...a1a1:2` for a task that was reopened twice.
library SignedMessage {
    /// @dev Length of the fixed part of every message, in bytes: two colons and the task id.
    uint256 private constant FIXED_LENGTH = 68;

    /// @dev The short suffix by which a relayer requests the call-bound tail. The full tail is
    /// `:call:<chainId>:<forwarder>:<hash of the call data>`.
    bytes5 private constant CALL = ":call";
    /// @dev The first characters of every call-bound tail. A message with this tail is signed for one call only.
    bytes6 private constant CALL_TAIL = ":call:";

    /// @dev Returns the EIP-191 hash of the message. The message is written once, directly into unused memory.
    function hash(ShortString service, PackedRoute route, bytes32 taskId, string memory tail)
        internal
        pure
        returns (bytes32 digest)
    {
        uint256 serviceLength = ShortStrings.byteLength(service);
        uint256 verbLength = route.verbLength();
        uint256 length = serviceLength + verbLength + FIXED_LENGTH + bytes(tail).length;
        (bytes32 left, bytes32 right) = Hex.digitsOf(taskId);
        assembly ("memory-safe") {
            // Writes the text from left to right: each word overwrites the excess bytes of the one before. The 128 bytes
            // before the text have room for the prefix and the length.
            let end := add(mload(0x40), 0x80)
            let start := end
            mstore(end, service)
            end := add(end, serviceLength)
            mstore(end, or(shl(248, 0x3a), shr(8, route))) // ":" and the verb
            end := add(end, add(verbLength, 1))
            mstore(end, shl(232, 0x3a3078)) // ":0x"
            mstore(add(end, 3), left)
            mstore(add(end, 35), right)
            end := add(end, 67)
            mcopy(end, add(tail, 0x20), mload(tail))
            end := add(end, mload(tail))
            // Its length in decimal, from right to left.
            for {} length { length := div(length, 10) } {
                start := sub(start, 1)
                mstore8(start, add(0x30, mod(length, 10)))
            }
            // "\x19Ethereum Signed Message:\n", its end where the digits start.
            mstore(sub(start, 32), 0x19457468657265756d205369676e6564204d6573736167653a0a)
            start := sub(start, 26)
            digest := keccak256(start, sub(end, start))
        }
    }

    /// @dev Returns whether the account signed the digest, with the account's key or as a contract (ERC-1271). The key
    /// is checked first, so most accounts need no call. The key's signature is valid for an account with code too,
    /// because the key controls such an account (EIP-7702).
    function isSignedBy(address actor, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && signer == actor) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(actor, digest, signature);
    }

    /// @dev Returns the tail of the message that must be signed for the call. The tail follows from the relayer's
    /// suffix and the route's suffix rule. Reverts with InvalidSuffix if the rule does not allow the suffix.
    function tailOf(PackedRoute route, string calldata suffix, address target, bytes calldata data)
        internal
        view
        returns (string memory tail)
    {
        SuffixRule rule = route.suffixRule();
        if (rule == SuffixRule.Round) tail = _roundTail(target, bytes32(data[4:36]));
        if (rule != SuffixRule.None && isCall(suffix)) return BoundCall.tailOf(tail, data);
        if (rule == SuffixRule.Content && _isContent(bytes(suffix))) return suffix;
        bool isEmpty = bytes(suffix).length == 0 && bytes(tail).length == 0;
        if (!isEmpty && !Strings.equal(suffix, tail)) revert IPaymentForwarder.InvalidSuffix(suffix);
    }

    /// @dev Returns whether the suffix is ":call". This suffix stands for `:call:<chainId>:<forwarder>:<hash of the
    /// call data>`.
    function isCall(string calldata suffix) internal pure returns (bool) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes(suffix).length == CALL.length && bytes5(bytes(suffix)) == CALL;
    }

    /// @dev Returns whether the suffix is a colon followed by free text. False for a suffix that begins with ":call:",
    /// because a call-bound message must not be usable as a plain message.
    function _isContent(bytes calldata suffix) private pure returns (bool) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return suffix.length > 0 && suffix[0] == ":" && bytes6(suffix) != CALL_TAIL;
    }

    /// @dev Returns `:<round>` for a reopened task; empty if the task was never reopened. Signed messages of claims and
    /// forfeits end with this text.
    function _roundTail(address target, bytes32 taskId) private view returns (string memory) {
        uint32 round = ITaskMarket(target).roundOf(taskId);
        return round == 0 ? "" : string.concat(":", Strings.toString(round));
    }
}
