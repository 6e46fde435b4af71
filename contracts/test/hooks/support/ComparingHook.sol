// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookVerdict, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";

/// @title A hook that compares all it is told with what the market's views say at that moment
contract ComparingHook {
    mapping(bytes4 selector => uint256) public heard;
    mapping(bytes4 selector => uint256) public differences;
    /// @dev The `taskTermsHash` inside the last checkFund.
    bytes32 public termsHash;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(ITaskHook).interfaceId;
    }

    fallback() external {
        ITaskMarket market = ITaskMarket(msg.sender);
        (bytes32 taskId, TaskContext memory told) = abi.decode(msg.data[4:], (bytes32, TaskContext));
        if (msg.sig == ITaskHook.checkFund.selector) termsHash = market.taskTermsHash(taskId);
        else if (told.tags.length > 0) differences[msg.sig]++;
        // The views keep no tags.
        told.tags = new bytes32[](0);
        if (keccak256(abi.encode(told)) != keccak256(abi.encode(market.contextOf(taskId)))) differences[msg.sig]++;
        if (market.awardsHash(taskId) != _awardsHashTold()) differences[msg.sig]++;
        heard[msg.sig]++;
        assembly ("memory-safe") {
            mstore(0x00, 1)
            return(0x00, 0x20)
        }
    }

    /// @dev Returns the hash of the awards in the call; zero at steps without awards.
    function _awardsHashTold() private pure returns (bytes32) {
        if (msg.sig != ITaskHook.checkComplete.selector && msg.sig != ITaskHook.onComplete.selector) return 0;
        (,, HookVerdict memory verdict) = abi.decode(msg.data[4:], (bytes32, TaskContext, HookVerdict));
        address[] memory workers = new address[](verdict.awards.length);
        uint256[] memory amounts = new uint256[](verdict.awards.length);
        for (uint256 i; i < workers.length; i++) {
            (workers[i], amounts[i]) = (verdict.awards[i].worker, verdict.awards[i].amount);
        }
        return keccak256(abi.encode(workers, amounts));
    }
}
