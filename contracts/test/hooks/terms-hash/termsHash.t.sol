// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, EvaluatorTerms, UpdateTaskParams} from "../../../src/types/TaskTypes.sol";
import {HookTest} from "../support/HookTest.sol";
import {ComparingHook} from "../support/ComparingHook.sol";

contract TermsHashTest is HookTest {
    /// @dev The terms as documented at ITaskMarket.taskTermsHash; static, so encoded like the values one by one.
    struct HashedTerms {
        bytes4 mode;
        bytes4 auctionType;
        uint256 reward;
        uint256 duration;
        uint256 pitchDuration;
        uint256 bidDuration;
        uint256 clockPrice;
        uint256 stakeBps;
        bytes32 tagsHash;
        address evaluator;
        address resolver;
        uint256 evaluatorFeeBps;
        uint256 evaluationWindow;
        uint256 appealWindow;
        bytes32 hookSet;
    }

    ComparingHook private comparing = new ComparingHook();

    /// given every mode, with and without evaluator, tags and hooks: it is the hash of the documented terms
    function test_HashesTheTerms() external {
        for (uint256 kind; kind < 8; kind++) {
            for (uint256 variant; variant < 8; variant++) {
                CreateTaskParams memory params = variantOf(kind, variant);
                bytes32 taskId = create(params);
                assertEq(market.taskTermsHash(taskId), hashOf(params));
            }
        }
    }

    /// given every mode, with and without evaluator, tags and hooks: it is the same inside checkFund
    function test_HashesTheSameInsideCheckFund() external {
        for (uint256 kind; kind < 8; kind++) {
            for (uint256 variant; variant < 4; variant++) {
                CreateTaskParams memory params = variantOf(kind, variant + 4);
                bytes32 taskId = create(params);
                assertEq(comparing.termsHash(), hashOf(params));
                assertEq(comparing.termsHash(), market.taskTermsHash(taskId));
            }
        }
    }

    /// given windows that were left to the expiry: it holds the durations they came to
    function test_HashesFilledWindows() external {
        CreateTaskParams memory params = aPitchTask();
        params.pitchDuration = 0;
        bytes32 taskId = create(params);
        params.pitchDuration = params.duration;
        assertEq(market.taskTermsHash(taskId), hashOf(params));
        params = anAuction(Modes.DUTCH);
        params.bidDuration = 0;
        taskId = create(params);
        params.bidDuration = params.duration;
        assertEq(market.taskTermsHash(taskId), hashOf(params));
    }

    /// when one term differs: it is another hash
    function test_TellsTermsApart() external {
        CreateTaskParams[8] memory others;
        for (uint256 i; i < others.length; i++) {
            others[i] = evaluated(aClaim());
        }
        others[1].reward++;
        others[2].duration++;
        others[3].stakeBps++;
        others[4].tags = new bytes32[](1);
        others[5].evaluation.feeBps++;
        others[6].evaluation.resolver = stranger;
        others[7].hooks = asList(address(hook));
        for (uint256 i; i < others.length; i++) {
            bytes32 hash = market.taskTermsHash(create(others[i]));
            for (uint256 k; k < i; k++) {
                assertNotEq(hash, hashOf(others[k]));
            }
        }
    }

    /// when the terms are updated: it is the hash of the present ones
    function test_HashesThePresentTerms() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.DUTCH));
        bytes32 taskId = create(params);
        UpdateTaskParams memory update = anUpdate(taskId);
        update.reward = params.reward = uint96(2 * REWARD);
        update.clockPrice = params.clockPrice = uint96(REWARD);
        (params.duration, params.bidDuration) = (3 * DURATION, 2 * DURATION);
        update.expiryTime = uint40(start + 3 * DURATION);
        update.bidDeadline = uint40(start + 2 * DURATION);
        vm.prank(requester);
        market.updateTask(update);
        assertEq(market.taskTermsHash(taskId), hashOf(params));
    }

    /// when an evaluator is assigned later: it is the hash with the evaluator
    function test_HashesALaterEvaluator() external {
        bytes32 taskId = create(aClaim());
        vm.prank(requester);
        market.assignEvaluator(taskId, evaluatorTerms());
        assertEq(market.taskTermsHash(taskId), hashOf(evaluated(aClaim())));
    }

    /// when the evaluator was too late: it is the hash without one
    function test_HashesNoLateEvaluator() external {
        bytes32 taskId = create(evaluated(aClaim()));
        claim(taskId, alice);
        submit(taskId, alice, "a1");
        skip(2 hours);
        vm.prank(requester);
        market.evaluatorTimeout(taskId);
        assertEq(market.taskTermsHash(taskId), hashOf(aClaim()));
    }

    /// when a review outlasts the expiry: it holds the longer duration
    function test_HashesARaisedExpiry() external {
        CreateTaskParams memory params = evaluated(aClaim());
        bytes32 taskId = create(params);
        claim(taskId, alice);
        skip(DURATION - 1);
        submit(taskId, alice, "a1");
        params.duration = DURATION - 1 + 2 hours;
        assertEq(market.taskTermsHash(taskId), hashOf(params));
    }

    /// @param variant Bits: evaluator, tags, hooks.
    function variantOf(uint256 kind, uint256 variant) private view returns (CreateTaskParams memory params) {
        if (kind == 0) params = aBounty();
        else if (kind == 1) params = aClaim();
        else if (kind == 2) params = aPitchTask();
        else if (kind == 3) params = aBenchmark();
        else if (kind == 4) params = anAuction(Modes.DUTCH);
        else if (kind == 5) params = anAuction(Modes.ENGLISH);
        else if (kind == 6) params = anAuction(Modes.REVERSE_DUTCH);
        else params = anAuction(Modes.REVERSE_ENGLISH);
        if (variant & 1 != 0) params.evaluation = evaluatorTerms();
        if (variant & 2 != 0) {
            params.tags = new bytes32[](2);
            (params.tags[0], params.tags[1]) = (keccak256("one"), keccak256("two"));
        }
        if (variant & 4 != 0) params.hooks = asList(address(comparing), address(hook));
    }

    function hashOf(CreateTaskParams memory params) private pure returns (bytes32) {
        HashedTerms memory terms;
        (terms.mode, terms.auctionType) = (params.mode, params.auctionType);
        (terms.reward, terms.duration) = (params.reward, params.duration);
        (terms.pitchDuration, terms.bidDuration) = (params.pitchDuration, params.bidDuration);
        (terms.clockPrice, terms.stakeBps) = (params.clockPrice, params.stakeBps);
        if (params.tags.length > 0) terms.tagsHash = keccak256(abi.encodePacked(params.tags));
        EvaluatorTerms memory evaluation = params.evaluation;
        (terms.evaluator, terms.resolver) = (evaluation.evaluator, evaluation.resolver);
        terms.evaluatorFeeBps = evaluation.feeBps;
        (terms.evaluationWindow, terms.appealWindow) = (evaluation.evaluationWindow, evaluation.appealWindow);
        if (params.hooks.length > 0) terms.hookSet = keccak256(abi.encode(uint8(0), params.hooks));
        return keccak256(abi.encode(terms));
    }
}
