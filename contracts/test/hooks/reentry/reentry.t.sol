// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {IPaymentForwarder} from "../../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {SuffixRule} from "../../../src/types/RelayTypes.sol";
import {EvaluatorTerms, RateParams, Verdict, Winner} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {Asker} from "../support/Asker.sol";
import {Paths} from "../support/Paths.sol";

contract ReentryTest is Paths {
    bytes private reentered = abi.encodeWithSelector(ITaskMarket.Reentered.selector);

    /// when a hook calls the market back: it refuses every function that writes
    function test_RefusesEveryWrite() external {
        bytes32 taskId = createBounty();
        bytes[] memory calls = writes(taskId);
        for (uint256 i; i < calls.length; i++) {
            assertEq(answerDuringCancel(address(market), calls[i]), reentered);
        }
    }

    /// when a hook calls the market back: it refuses administration to any account but the owner
    function test_RefusesAdministration() external {
        bytes[] memory calls = new bytes[](9);
        calls[0] = abi.encodeCall(market.setFeeBps, (0));
        calls[1] = abi.encodeCall(market.setFeeRecipient, (address(hook)));
        calls[2] = abi.encodeCall(market.setRegistries, (address(hook), address(hook)));
        calls[3] = abi.encodeCall(market.setDefaultHooks, (asList(address(hook))));
        calls[4] = abi.encodeCall(market.pause, ());
        calls[5] = abi.encodeCall(market.unpause, ());
        calls[6] = abi.encodeCall(market.sweepExcess, (address(hook)));
        calls[7] = abi.encodeCall(market.transferOwnership, (address(hook)));
        calls[8] = abi.encodeCall(market.acceptOwnership, ());
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(hook));
        for (uint256 i; i < calls.length; i++) {
            assertEq(answerDuringCancel(address(market), calls[i]), refusal);
        }
    }

    /// when a hook calls the market back: it refuses a sweep even to the owner
    function test_RefusesASweepToTheOwner() external {
        vm.prank(owner);
        market.transferOwnership(address(hook));
        vm.prank(address(hook));
        market.acceptOwnership();
        usdc.mint(address(market), 5);
        bytes memory sweep = abi.encodeCall(market.sweepExcess, (address(hook)));
        assertEq(answerDuringCancel(address(market), sweep), reentered);
    }

    /// when a hook calls the market back: it refuses at every step
    function test_RefusesAtEveryStep() external {
        attached = asList(address(hook));
        hook.scriptAll(ScriptedHook.Behaviour.CallBack);
        hook.scriptCallback(address(market), abi.encodeCall(market.withdrawCredit, (address(hook))));
        for (uint256 i; i <= uint256(type(Path).max); i++) {
            walk(Path(i));
        }
        // Every step of the hook ABI was among them.
        assertGt(hook.calls(ITaskHook.checkFund.selector), 0);
        assertGt(hook.calls(ITaskHook.checkClaim.selector), 0);
        assertGt(hook.calls(ITaskHook.checkSelectWorker.selector), 0);
        assertGt(hook.calls(ITaskHook.checkSubmit.selector), 0);
        assertGt(hook.calls(ITaskHook.checkEvaluate.selector), 0);
        assertGt(hook.calls(ITaskHook.checkComplete.selector), 0);
        assertGt(hook.calls(ITaskHook.onComplete.selector), 0);
        assertGt(hook.calls(ITaskHook.onForfeit.selector), 0);
        assertGt(hook.calls(ITaskHook.onCancel.selector), 0);
        assertGt(hook.calls(ITaskHook.onExpire.selector), 0);
    }

    /// when a hook calls the market back through the forwarder: it refuses a hook that is a relayer while the market is called directly
    function test_RefusesThroughTheForwarder() external {
        bytes memory call = forwarded();
        assertEq(answerDuringCancel(address(forwarder), call), reentered);
    }

    /// when a hook calls the market back through the forwarder: it refuses a hook that is a relayer while the forwarder itself is at work
    function test_RefusesTheForwarderItself() external {
        hook.scriptCallback(address(forwarder), forwarded());
        hook.script(ITaskHook.onCancel.selector, ScriptedHook.Behaviour.CallBack);
        bytes32 taskId = create(hooked(aBounty()));
        allowPaid(ITaskMarket.cancelTask.selector);
        relayPaid(requesterKey, 1000, 0, abi.encodeCall(market.cancelTask, (taskId)));
        assertEq(hook.callbackAnswer(), abi.encodeWithSelector(IPaymentForwarder.Reentered.selector));
    }

    /// when a hook calls USDC: it moves nothing of the market
    function test_MovesNothingOfTheMarket() external {
        createBounty();
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(usdc.transferFrom, (address(market), address(hook), 1));
        calls[1] = abi.encodeCall(usdc.transferFrom, (address(forwarder), address(hook), 1));
        for (uint256 i; i < calls.length; i++) {
            answerDuringCancel(address(usdc), calls[i]);
            assertFalse(hook.callbackSucceeded());
        }
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(usdc.balanceOf(address(hook)), 0);
    }

    /// when a hook sends USDC to the market: it changes no liability and pays no account more
    function test_IgnoresAGift() external {
        usdc.mint(address(hook), 5e6);
        hook.scriptAll(ScriptedHook.Behaviour.CallBack);
        hook.scriptCallback(address(usdc), abi.encodeCall(usdc.transfer, (address(market), 1e6)));
        bytes32 taskId = create(hooked(aBounty()));
        submit(taskId, alice, "a1");
        assertEq(market.totalEscrow(), REWARD);
        uint256 before = usdc.balanceOf(alice);
        accept(taskId, alice, "a1");
        assertEq(usdc.balanceOf(alice) - before, 9_250_000);
        assertEq(market.totalEscrow(), 0);
        // At four steps: funding, submission, and twice at completion.
        assertEq(usdc.balanceOf(address(market)), 4e6);
    }

    /// when a hook asks the market: it answers every view
    function test_AnswersViews() external {
        bytes32 taskId = createBounty();
        bytes[] memory calls = new bytes[](14);
        calls[0] = abi.encodeCall(market.getTask, (taskId));
        calls[1] = abi.encodeCall(market.entryOf, (taskId, alice));
        calls[2] = abi.encodeCall(market.evaluationOf, (taskId));
        calls[3] = abi.encodeCall(market.hooksOf, (taskId));
        calls[4] = abi.encodeCall(market.lowestBidOf, (taskId));
        calls[5] = abi.encodeCall(market.contextOf, (taskId));
        calls[6] = abi.encodeCall(market.taskTermsHash, (taskId));
        calls[7] = abi.encodeCall(market.awardsHash, (taskId));
        calls[8] = abi.encodeCall(market.submissionIndexOf, (taskId, alice, "a1"));
        calls[9] = abi.encodeCall(market.nextTaskId, (requester));
        calls[10] = abi.encodeCall(market.roundOf, (taskId));
        calls[11] = abi.encodeCall(market.creditOf, (alice));
        calls[12] = abi.encodeCall(market.totalEscrow, ());
        calls[13] = abi.encodeCall(market.defaultHooks, ());
        Asker asker = new Asker();
        for (uint256 i; i < calls.length; i++) {
            // Remembering a whole answer takes more gas than a custom hook has.
            bytes memory question = abi.encodeCall(asker.isAnswered, (address(market), calls[i]));
            assertTrue(abi.decode(answerDuringCancel(address(asker), question), (bool)));
        }
    }

    /// @dev Returns the answer of `target` to a hook that called it while a task was cancelled.
    function answerDuringCancel(address target, bytes memory data) private returns (bytes memory) {
        bytes32 taskId = create(hooked(aBounty()));
        hook.script(ITaskHook.onCancel.selector, ScriptedHook.Behaviour.CallBack);
        hook.scriptCallback(target, data);
        uint256 heard = hook.calls(ITaskHook.onCancel.selector);
        cancel(taskId);
        assertEq(hook.calls(ITaskHook.onCancel.selector), heard + 1, "never called");
        return hook.callbackAnswer();
    }

    /// @dev An open relay of an expired task's refund, by a hook that is a relayer.
    function forwarded() private returns (bytes memory) {
        allow(address(market), ITaskMarket.refundExpired.selector, 15, SuffixRule.None, "");
        vm.prank(owner);
        forwarder.setRelayer(address(hook), true);
        bytes32 expired = createBounty();
        skip(DURATION);
        bytes memory refund = abi.encodeCall(market.refundExpired, (expired));
        return abi.encodeCall(forwarder.relayOpen, ("hook's intent", address(market), refund));
    }

    function writes(bytes32 taskId) private view returns (bytes[] memory calls) {
        EvaluatorTerms memory terms;
        RateParams memory rating;
        calls = new bytes[](27);
        calls[0] = abi.encodeCall(market.createTask, (aBounty()));
        calls[1] = abi.encodeCall(market.updateTask, (anUpdate(taskId)));
        calls[2] = abi.encodeCall(market.assignEvaluator, (taskId, terms));
        calls[3] = abi.encodeCall(market.claimTask, (taskId, 0));
        calls[4] = abi.encodeCall(market.submitPitch, (taskId, "pitch"));
        calls[5] = abi.encodeCall(market.selectWorker, (taskId, alice));
        calls[6] = abi.encodeCall(market.submitBid, (taskId, 1000));
        calls[7] = abi.encodeCall(market.selectLowestBidder, (taskId));
        calls[8] = abi.encodeCall(market.acceptAuction, (taskId, 1));
        calls[9] = abi.encodeCall(market.forfeitAndReopen, (taskId));
        calls[10] = abi.encodeCall(market.submitWork, (taskId, "a1"));
        calls[11] = abi.encodeCall(market.submitProof, (taskId, "a1", "type", 1));
        calls[12] = abi.encodeCall(market.rejectSubmissions, (taskId, asList(alice)));
        calls[13] = abi.encodeCall(market.objectToDelivery, (taskId));
        calls[14] = abi.encodeCall(market.evaluate, (taskId, Verdict.Reject, 0, 0, 0, noAwards()));
        calls[15] = abi.encodeCall(market.appeal, (taskId));
        calls[16] = abi.encodeCall(market.finalizeVerdict, (taskId));
        calls[17] = abi.encodeCall(market.resolveDispute, (taskId, Verdict.Approve, noAwards()));
        calls[18] = abi.encodeCall(market.evaluatorTimeout, (taskId));
        calls[19] = abi.encodeCall(market.acceptSubmission, (taskId, alice, "a1"));
        calls[20] = abi.encodeCall(market.acceptSubmissions, (taskId, new Winner[](0)));
        calls[21] = abi.encodeCall(market.cancelTask, (taskId));
        calls[22] = abi.encodeCall(market.refundExpired, (taskId));
        calls[23] = abi.encodeCall(market.settleStale, (taskId));
        calls[24] = abi.encodeCall(market.rateTask, (rating));
        calls[25] = abi.encodeCall(market.withdrawCredit, (alice));
        calls[26] = abi.encodeCall(market.pushCredit, (alice));
    }

    /// @dev Makes a call that succeeds, and asserts that the hook's call back was refused.
    function act(address actor, bytes memory data, bool) internal override {
        vm.prank(actor);
        (bool ok,) = address(market).call(data);
        assertTrue(ok);
        assertEq(hook.callbackAnswer(), reentered);
    }
}
