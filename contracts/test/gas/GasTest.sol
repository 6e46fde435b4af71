// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {RateParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {Relay} from "../support/Relay.sol";

/// @title Gas of whole transactions, intrinsic cost and calldata included
/// @notice Run with the `gas` profile: each top-level call is a transaction of its own. Every account is in the state
/// of daily use: requester, workers, forwarder and fee recipient have acted and held USDC before.
/// `paid.*` is payment and action in one transaction, `bound.*` the same with a payment that names the call; `signed.*` is
/// a free write checked on chain, `call-bound.*` one whose message names the call; `open.*` is a permissionless call,
/// `direct.*` a call of one's own.
abstract contract GasTest is MarketTest {
    function setUp() public virtual override {
        super.setUp();
        bytes4[20] memory paidOnes = [
            ITaskMarket.createTask.selector,
            ITaskMarket.updateTask.selector,
            ITaskMarket.assignEvaluator.selector,
            ITaskMarket.claimTask.selector,
            ITaskMarket.submitPitch.selector,
            ITaskMarket.selectWorker.selector,
            ITaskMarket.submitBid.selector,
            ITaskMarket.acceptAuction.selector,
            ITaskMarket.submitWork.selector,
            ITaskMarket.submitProof.selector,
            ITaskMarket.rejectSubmissions.selector,
            ITaskMarket.acceptSubmission.selector,
            ITaskMarket.acceptSubmissions.selector,
            ITaskMarket.cancelTask.selector,
            ITaskMarket.refundExpired.selector,
            ITaskMarket.objectToDelivery.selector,
            ITaskMarket.evaluate.selector,
            ITaskMarket.appeal.selector,
            ITaskMarket.resolveDispute.selector,
            ITaskMarket.evaluatorTimeout.selector
        ];
        for (uint256 i; i < paidOnes.length; i++) {
            allowPaid(paidOnes[i]);
        }
        allowPaid(ITaskMarket.rateTask.selector);
        allow(address(market), ITaskMarket.submitWork.selector, 7, SuffixRule.Content, "submit");
        allow(address(market), ITaskMarket.claimTask.selector, 7, SuffixRule.Round, "claim");
        allow(address(market), ITaskMarket.forfeitAndReopen.selector, 4, SuffixRule.Round, "forfeit");
        bytes4[3] memory openOnes = [
            ITaskMarket.selectLowestBidder.selector,
            ITaskMarket.finalizeVerdict.selector,
            ITaskMarket.settleStale.selector
        ];
        for (uint256 i; i < openOnes.length; i++) {
            allow(address(market), openOnes[i], 8, SuffixRule.None, "");
        }
        _useAccounts();
    }

    /// @dev Lets every account act and be paid, so that no measured step is a first one.
    function _useAccounts() private {
        address[6] memory accounts = [alice, bob, evaluator, resolver, feeRecipient, address(forwarder)];
        for (uint256 i; i < accounts.length; i++) {
            fund(accounts[i]);
        }
        bytes32 taskId = createCompleted();
        vm.prank(requester);
        market.rateTask(RateParams(taskId, alice, 90, 0, 0, false, "", 0));
        relayPaid(requesterKey, 1000, 0, abi.encodeCall(market.cancelTask, (createBounty())));
    }

    function paid(string memory name, uint256 key, uint256 escrow, bytes memory data) internal {
        bool isCreation = bytes4(data) == ITaskMarket.createTask.selector;
        relayPaid(key, isCreation ? escrow : escrow + 1000, escrow, data);
        record("paid.", name);
    }

    /// @dev Measures the step with a payment that is bound to it, without lasting effect.
    function bound(string memory name, uint256 key, uint256 escrow, bytes memory data) internal {
        uint256 state = vm.snapshotState();
        bool isCreation = bytes4(data) == ITaskMarket.createTask.selector;
        relayBound(key, isCreation ? escrow : escrow + 1000, escrow, data);
        record("bound.", name);
        vm.revertToState(state);
    }

    /// @dev Measures the step with a message that is bound to it, without lasting effect.
    function signedForTheCall(string memory name, uint256 key, string memory head, bytes32 taskId, bytes memory data)
        internal
    {
        uint256 state = vm.snapshotState();
        bytes memory signature = Relay.signMessage(key, head, taskId, Relay.callTail(address(forwarder), data));
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relaySigned(intentId, vm.addr(key), signature, ":call", address(market), data);
        record("call-bound.", name);
        vm.revertToState(state);
    }

    function signed(string memory name, uint256 key, string memory head, bytes32 taskId, bytes memory data) internal {
        bytes memory signature = Relay.signMessage(key, head, taskId, "");
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relaySigned(intentId, vm.addr(key), signature, "", address(market), data);
        record("signed.", name);
    }

    function opened(string memory name, bytes memory data) internal {
        opened(name, address(market), data);
    }

    function opened(string memory name, address target, bytes memory data) internal {
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relayOpen(intentId, target, data);
        record("open.", name);
    }

    /// @dev Measures the step as a call of the actor, without lasting effect.
    function direct(string memory name, address actor, bytes memory data) internal {
        uint256 state = vm.snapshotState();
        vm.prank(actor);
        (bool success,) = address(market).call(data);
        record("direct.", name);
        assertTrue(success, name);
        vm.revertToState(state);
    }

    /// @dev The gas of the last call, under the test contract.
    function record(string memory relayMode, string memory name) internal virtual {
        vm.snapshotGasLastCall(string.concat(relayMode, name));
    }

    /// @dev Measures a step relayed and as a direct call.
    function both(string memory name, uint256 key, bytes memory data) internal {
        direct(name, vm.addr(key), data);
        paid(name, key, 0, data);
    }
}
