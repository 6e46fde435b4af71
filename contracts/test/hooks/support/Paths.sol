// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Verdict} from "../../../src/types/TaskTypes.sol";
import {HookTest} from "./HookTest.sol";

/// @title One whole life of a task for each way it can go
/// @notice `act` makes every call, so that a test can watch them or repeat them.
abstract contract Paths is HookTest {
    enum Path {
        BountyAccepted,
        BountySplit,
        BountyJudged,
        BountyStale,
        BenchmarkAccepted,
        Cancelled,
        ClaimAccepted,
        ClaimForfeited,
        ClaimExpired,
        ClaimStale,
        ClaimJudged,
        ClaimRejected,
        ClaimDisputed,
        ClaimTimedOut,
        PitchAccepted,
        English,
        ReverseEnglish,
        Dutch,
        ReverseDutch
    }

    /// @dev Custom hooks of the tasks to come.
    address[] internal attached;

    /// @param canVeto Whether hooks may stop the call.
    function act(address actor, bytes memory data, bool canVeto) internal virtual;

    function walk(Path path) internal returns (bytes32 taskId) {
        CreateTaskParams memory params = _paramsOf(path);
        params.hooks = attached;
        params.hookData = "data";
        params.tags = new bytes32[](1);
        params.tags[0] = keccak256("tag");
        taskId = market.nextTaskId(requester);
        act(requester, abi.encodeCall(market.createTask, (params)), true);
        if (path <= Path.BenchmarkAccepted) _walkContest(path, taskId);
        else if (path == Path.Cancelled) act(requester, abi.encodeCall(market.cancelTask, (taskId)), false);
        else if (path <= Path.ClaimTimedOut) _walkClaim(path, taskId);
        else if (path == Path.PitchAccepted) _walkPitch(taskId);
        else _walkAuction(path, taskId);
    }

    function _paramsOf(Path path) private view returns (CreateTaskParams memory) {
        if (path == Path.BountyJudged) return evaluated(aBounty());
        if (path == Path.BenchmarkAccepted) return aBenchmark();
        if (path <= Path.Cancelled) return aBounty();
        if (path <= Path.ClaimStale) return aClaim();
        if (path <= Path.ClaimTimedOut) return evaluated(aClaim());
        if (path == Path.PitchAccepted) return aPitchTask();
        if (path == Path.English) return anAuction(Modes.ENGLISH);
        if (path == Path.ReverseEnglish) return anAuction(Modes.REVERSE_ENGLISH);
        return anAuction(path == Path.Dutch ? Modes.DUTCH : Modes.REVERSE_DUTCH);
    }

    function _walkContest(Path path, bytes32 taskId) private {
        if (path == Path.BenchmarkAccepted) {
            act(alice, abi.encodeCall(market.submitProof, (taskId, "a1", "type", 7)), true);
        } else {
            act(alice, abi.encodeCall(market.submitWork, (taskId, "a1")), true);
            act(bob, abi.encodeCall(market.submitWork, (taskId, "b1")), true);
        }
        if (path == Path.BountySplit) {
            act(requester, abi.encodeCall(market.acceptSubmissions, (taskId, winnersOf(alice, 3333, bob, 6667))), true);
        } else if (path == Path.BountyJudged) {
            skip(DURATION);
            _evaluate(taskId, Verdict.Partial, 3e6);
            skip(1 hours);
            act(stranger, abi.encodeCall(market.finalizeVerdict, (taskId)), false);
        } else if (path == Path.BountyStale) {
            skip(DURATION + 90 days);
            act(stranger, abi.encodeCall(market.settleStale, (taskId)), false);
        } else {
            _accept(taskId, alice, "a1");
        }
    }

    function _walkClaim(Path path, bytes32 taskId) private {
        act(alice, abi.encodeCall(market.claimTask, (taskId, 0)), true);
        if (path == Path.ClaimForfeited) {
            skip(DURATION);
            act(requester, abi.encodeCall(market.forfeitAndReopen, (taskId)), false);
        }
        if (path == Path.ClaimExpired) skip(DURATION);
        if (path == Path.ClaimExpired || path == Path.ClaimForfeited) {
            act(stranger, abi.encodeCall(market.refundExpired, (taskId)), false);
            return;
        }
        act(alice, abi.encodeCall(market.submitWork, (taskId, "a1")), false);
        if (path == Path.ClaimAccepted) {
            _accept(taskId, alice, "a1");
        } else if (path == Path.ClaimStale) {
            skip(DURATION + 90 days);
            act(stranger, abi.encodeCall(market.settleStale, (taskId)), false);
        } else {
            _judge(path, taskId);
        }
    }

    function _judge(Path path, bytes32 taskId) private {
        if (path == Path.ClaimTimedOut) {
            skip(2 hours);
            act(requester, abi.encodeCall(market.evaluatorTimeout, (taskId)), false);
            _accept(taskId, alice, "a1");
            return;
        }
        if (path == Path.ClaimJudged) _evaluate(taskId, Verdict.Approve, 0);
        else _evaluate(taskId, Verdict.Reject, 0);
        if (path == Path.ClaimDisputed) {
            act(alice, abi.encodeCall(market.appeal, (taskId)), false);
            bytes memory data = abi.encodeCall(market.resolveDispute, (taskId, Verdict.Partial, oneAward(alice, 4e6)));
            act(resolver, data, false);
            return;
        }
        skip(1 hours);
        act(stranger, abi.encodeCall(market.finalizeVerdict, (taskId)), false);
    }

    function _walkPitch(bytes32 taskId) private {
        act(alice, abi.encodeCall(market.submitPitch, (taskId, "pitch")), true);
        act(requester, abi.encodeCall(market.selectWorker, (taskId, alice)), true);
        act(alice, abi.encodeCall(market.submitWork, (taskId, "a1")), false);
        _accept(taskId, alice, "a1");
    }

    function _walkAuction(Path path, bytes32 taskId) private {
        if (path >= Path.Dutch) {
            skip(1 hours);
            act(alice, abi.encodeCall(market.acceptAuction, (taskId, 1)), true);
        } else {
            act(bob, abi.encodeCall(market.submitBid, (taskId, 8e6)), true);
            act(alice, abi.encodeCall(market.submitBid, (taskId, 6e6 + 1)), true);
            skip(DURATION / 2);
            act(stranger, abi.encodeCall(market.selectLowestBidder, (taskId)), false);
        }
        act(alice, abi.encodeCall(market.submitWork, (taskId, "a1")), false);
        _accept(taskId, alice, "a1");
    }

    function _accept(bytes32 taskId, address worker, bytes32 deliverable) private {
        act(requester, abi.encodeCall(market.acceptSubmission, (taskId, worker, deliverable)), true);
    }

    /// @param amount Of one award to alice; zero: no award.
    function _evaluate(bytes32 taskId, Verdict verdict, uint256 amount) private {
        bytes memory data = abi.encodeCall(
            market.evaluate,
            (taskId, verdict, 900, 800, keccak256("evidence"), amount == 0 ? noAwards() : oneAward(alice, amount))
        );
        act(evaluator, data, false);
    }
}
