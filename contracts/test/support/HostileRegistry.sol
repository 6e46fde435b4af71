// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A hostile stand-in for both ERC-8004 registries
/// @notice A test sets what `ownerOf` and `giveFeedback` do: burn all gas, return a megabyte, return nothing, or call
/// the market back.
contract HostileRegistry {
    enum Harm {
        None,
        BurnGas,
        ReturnBomb,
        AnswerNothing,
        Reenter
    }

    address public agentOwner;
    Harm public ownerHarm;
    Harm public feedbackHarm;
    address public callee;
    bytes public callback;
    bytes public answer;
    uint256 public feedbacks;

    function behave(address owner, Harm onOwner, Harm onFeedback) external {
        (agentOwner, ownerHarm, feedbackHarm) = (owner, onOwner, onFeedback);
    }

    function callBack(address target, bytes calldata data) external {
        (callee, callback) = (target, data);
    }

    function ownerOf(uint256) external view returns (address) {
        _harm(ownerHarm);
        return agentOwner;
    }

    /// @dev giveFeedback: named, its parameters would be too many for the compiler without its optimizer, as coverage
    /// is measured.
    fallback() external {
        if (feedbackHarm == Harm.Reenter) (, answer) = callee.call(callback);
        _harm(feedbackHarm);
        feedbacks++;
    }

    function _harm(Harm harm) private pure {
        if (harm == Harm.BurnGas) {
            for (uint256 i;; i++) {
                keccak256(abi.encode(i));
            }
        }
        if (harm == Harm.ReturnBomb) {
            assembly ("memory-safe") {
                return(0, 300000)
            }
        }
        if (harm == Harm.AnswerNothing) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
    }
}
