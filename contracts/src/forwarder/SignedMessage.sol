// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";

/// @title The messages actors sign for free writes
/// @notice `<service>:<verb>:<taskId><suffix>`, the task id as lower-case 0x hex, hashed as EIP-191 personal_sign does.
library SignedMessage {
    function hash(string memory service, string memory verb, bytes32 taskId, string calldata suffix)
        internal
        pure
        returns (bytes32)
    {
        string memory id = Strings.toHexString(uint256(taskId), 32);
        return MessageHashUtils.toEthSignedMessageHash(bytes(string.concat(service, ":", verb, ":", id, suffix)));
    }

    /// @dev Reverts with InvalidSuffix when the tail is not what the route's rule asks for.
    function checkSuffix(IPaymentForwarder.SuffixRule rule, string calldata suffix, address target, bytes32 taskId)
        internal
        view
    {
        bool valid;
        if (rule == IPaymentForwarder.SuffixRule.None) {
            valid = bytes(suffix).length == 0;
        } else if (rule == IPaymentForwarder.SuffixRule.Content) {
            valid = bytes(suffix).length == 0 || bytes(suffix)[0] == ":";
        } else {
            uint32 round = ITaskMarket(target).roundOf(taskId);
            string memory expected = round == 0 ? "" : string.concat(":", Strings.toString(round));
            valid = Strings.equal(suffix, expected);
        }
        if (!valid) revert IPaymentForwarder.InvalidSuffix(suffix);
    }
}
