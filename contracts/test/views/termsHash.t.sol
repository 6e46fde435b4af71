// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {CreateTaskParams, EvaluatorTerms, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title The terms' hash that hooks and vaults compare with what they agreed to
contract TermsHashTest is MarketTest {
    /// when a task has neither evaluator nor tags: it is the hash of its terms in every mode
    function test_EveryMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            assertEq(market.taskTermsHash(create(all[i])), hashOf(all[i]));
        }
    }

    /// when a task has an evaluator and tags: it covers them
    function test_EvaluatorAndTags() external {
        CreateTaskParams memory params = withTags(evaluated(aClaim()));
        assertEq(market.taskTermsHash(create(params)), hashOf(params));
    }

    /// when entry windows are not given: it covers the windows until expiry
    function test_DefaultWindows() external {
        CreateTaskParams[8] memory all = oneOfEach();
        CreateTaskParams memory pitched = all[2];
        CreateTaskParams memory clock = all[4];
        (pitched.pitchDuration, clock.bidDuration) = (0, 0);
        bytes32 pitchHash = market.taskTermsHash(create(pitched));
        bytes32 clockHash = market.taskTermsHash(create(clock));
        (pitched.pitchDuration, clock.bidDuration) = (DURATION, DURATION);
        assertEq(pitchHash, hashOf(pitched));
        assertEq(clockHash, hashOf(clock));
    }

    /// when the same terms are created at another time by another requester with other content: it is the same
    function test_SameTerms() external {
        bytes32 hash = market.taskTermsHash(create(aPitchTask()));
        vm.warp(block.timestamp + 1000);
        fund(alice);
        CreateTaskParams memory params = aPitchTask();
        (params.contentHash, params.listed) = (keccak256("other"), true);
        vm.prank(alice);
        assertEq(market.taskTermsHash(market.createTask(params)), hash);
    }

    /// when the terms are updated: it covers the present terms
    function test_PresentTerms() external {
        CreateTaskParams memory params = oneOfEach()[4];
        bytes32 taskId = create(params);
        UpdateTaskParams memory change = aRaise(taskId, 2 * REWARD);
        (change.expiryTime, change.bidDeadline) =
        (uint40(block.timestamp) + 2 * DURATION, uint40(block.timestamp) + DURATION);
        change.clockPrice = 77;
        update(change);
        (params.reward, params.duration, params.bidDuration) = (uint96(2 * REWARD), 2 * DURATION, DURATION);
        params.clockPrice = 77;
        assertEq(market.taskTermsHash(taskId), hashOf(params));
    }

    /// @dev Returns the hash that the interface documents, without hooks. Its words are static: two encodings in a row
    /// are one.
    function hashOf(CreateTaskParams memory params) private pure returns (bytes32) {
        bytes memory first = abi.encode(
            params.mode,
            params.auctionType,
            uint256(params.reward),
            uint256(params.duration),
            uint256(params.pitchDuration),
            uint256(params.bidDuration),
            uint256(params.clockPrice),
            uint256(params.stakeBps)
        );
        EvaluatorTerms memory terms = params.evaluation;
        bytes memory second = abi.encode(
            params.tags.length == 0 ? bytes32(0) : keccak256(abi.encodePacked(params.tags)),
            terms.evaluator,
            terms.resolver,
            uint256(terms.feeBps),
            uint256(terms.evaluationWindow),
            uint256(terms.appealWindow),
            bytes32(0)
        );
        return keccak256(bytes.concat(first, second));
    }

    function withTags(CreateTaskParams memory params) private pure returns (CreateTaskParams memory) {
        params.tags = new bytes32[](2);
        (params.tags[0], params.tags[1]) = (keccak256("solidity"), keccak256("audit"));
        return params;
    }
}
