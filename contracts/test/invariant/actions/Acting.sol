// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IPaymentForwarder} from "../../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {TaskView} from "../../../src/types/TaskTypes.sol";
import {Relay} from "../../support/Relay.sol";
import {Environment} from "../Environment.sol";

/// @title How an actor acts: by a call of its own, or through a leg of the relay
/// @notice A refused call is no error: the laws hold all the same. `successes` counts what went through, by selector of
/// the market and of the leg, so that a test can show that everything is reached.
abstract contract Acting is Environment {
    uint256 private constant ACTION_FEE = 1000;

    mapping(bytes4 selector => uint256) public successes;
    /// @dev USDC given to the market, less what the owner swept; and USDC given to the forwarder.
    uint256 public donated;
    uint256 public lost;
    /// @dev All that was ever given to the market.
    uint256 public given;

    /// @dev The last relay that acted, and its intent: no account may make them act again.
    bytes internal _lastRelay;
    bytes32 private _lastIntent;

    /// @dev Clock prices as they were seen last, by task; `updates` tells the terms they belong to.
    struct Sight {
        uint256 price;
        uint256 updates;
    }

    mapping(bytes32 taskId => Sight) private _sights;

    /// @dev In one of all ways, whichever the dice choose. `escrow` is what the call takes from its caller.
    function _act(uint256 actor, bytes32 taskId, bytes memory data, uint256 escrow) internal returns (bool) {
        uint256 way = _roll(8);
        // Of too little gas nothing may come but a refusal: hooks are not starved on purpose.
        if (way == 0 && _oneIn(4)) {
            return _callWith(actorAt(actor), address(MARKET), taskId, data, _between(50_000, 1_500_000));
        }
        if (way < 4) return _call(actorAt(actor), address(MARKET), taskId, data);
        bytes4 selector = bytes4(data);
        if (way == 4 && _isOpen(selector)) return _relayOpen(taskId, data);
        if (way < 6 && bytes(_verbOf(selector)).length > 0) return _relaySigned(actor, taskId, data);
        // A relay that says another amount than the call takes is refused.
        return _relayPaid(actor, taskId, data, _oneIn(16) ? escrow + 1 : escrow);
    }

    /// @dev By a call of the actor's own that nothing may stop: no hook, no pause, no account that cannot be paid.
    function _must(uint256 actor, bytes32 taskId, bytes memory data, string memory law) internal {
        assertTrue(_call(actorAt(actor), address(MARKET), taskId, data), law);
    }

    /// @dev Now and then under an intent that acted before, with a payment of its own: it never acts again.
    function _relayPaid(uint256 actor, bytes32 taskId, bytes memory data, uint256 escrow) private returns (bool acted) {
        bool isUsed = _lastIntent != 0 && _oneIn(16);
        bytes memory relay = _paidRelay(isUsed ? _lastIntent : _fresh(), actor, data, escrow);
        acted = _relay(taskId, bytes4(data), relay);
        assertFalse(acted && isUsed, "an intent acted twice");
    }

    function _paidRelay(bytes32 intentId, uint256 actor, bytes memory data, uint256 escrow)
        private
        returns (bytes memory)
    {
        uint256 value = bytes4(data) == ITaskMarket.createTask.selector ? escrow : escrow + ACTION_FEE;
        IPaymentForwarder.Authorization memory authorization = Relay.authorizationOf(actorAt(actor), value, _fresh());
        bytes memory signature = Relay.sign(USDC, keyOf(actor), address(FORWARDER), authorization);
        return abi.encodeCall(FORWARDER.relayPaid, (intentId, authorization, signature, escrow, address(MARKET), data));
    }

    /// @dev Now and then with a signature of another account, which never acts.
    function _relaySigned(uint256 actor, bytes32 taskId, bytes memory data) private returns (bool acted) {
        uint256 signer = _oneIn(16) ? actor + 1 : actor;
        acted = _relay(taskId, bytes4(data), _signedRelay(actor, signer, taskId, data));
        assertFalse(acted && signer != actor, "a forged message acted");
    }

    function _signedRelay(uint256 actor, uint256 signer, bytes32 taskId, bytes memory data)
        private
        returns (bytes memory)
    {
        string memory suffix = _suffixOf(bytes4(data), taskId);
        string memory head = string.concat("service:", _verbOf(bytes4(data)), ":");
        bytes memory signature = Relay.signMessage(keyOf(signer), head, taskId, suffix);
        return
            abi.encodeCall(FORWARDER.relaySigned, (_fresh(), actorAt(actor), signature, suffix, address(MARKET), data));
    }

    /// @dev Claims and forfeits of a reopened task are bound to its round.
    function _suffixOf(bytes4 selector, bytes32 taskId) private view returns (string memory) {
        uint32 round = MARKET.roundOf(taskId);
        if (round == 0 || selector == ITaskMarket.submitWork.selector) return "";
        return string.concat(":", Strings.toString(round));
    }

    function _relayOpen(bytes32 taskId, bytes memory data) private returns (bool) {
        return _relay(taskId, bytes4(data), abi.encodeCall(FORWARDER.relayOpen, (_fresh(), address(MARKET), data)));
    }

    function _relay(bytes32 taskId, bytes4 operation, bytes memory relay) internal returns (bool acted) {
        acted = _call(RELAYER, address(FORWARDER), taskId, relay);
        if (!acted) return false;
        successes[operation]++;
        _lastRelay = relay;
        // The first argument of every leg.
        assembly ("memory-safe") {
            sstore(_lastIntent.slot, mload(add(relay, 0x24)))
        }
    }

    function _call(address from, address to, bytes32 taskId, bytes memory data) internal returns (bool) {
        return _callWith(from, to, taskId, data, gasleft());
    }

    /// @dev Every call of the environment goes through here, and every log of it to the ledger.
    function _callWith(address from, address to, bytes32 taskId, bytes memory data, uint256 gasLimit)
        internal
        returns (bool success)
    {
        bytes4 selector = bytes4(data);
        vm.recordLogs();
        vm.prank(from);
        (success,) = to.call{gas: gasLimit}(data);
        if (!success) return false;
        successes[selector]++;
        LEDGER.read(vm.getRecordedLogs(), address(MARKET), address(FORWARDER));
        if (taskId != 0) _checkTask(taskId);
    }

    /// @dev What the views say about the task of a step is what the logs say; what ended is remembered.
    function _checkTask(bytes32 taskId) internal {
        assertEq(abi.encode(MARKET.getTask(taskId)), abi.encode(LEDGER.taskOf(taskId)), "getTask is not what logs say");
        _noteTask(taskId);
    }

    /// @dev A clock's price stays in its range and moves one way, until its terms change.
    function _checkClocks() internal {
        for (uint256 i; i < _live.length; i++) {
            TaskView memory task = MARKET.getTask(_live[i]);
            bool isDutch = task.auctionType == Modes.DUTCH;
            if (!isDutch && task.auctionType != Modes.REVERSE_DUTCH) continue;
            uint256 price = MARKET.clockPriceOf(_live[i]);
            uint256 updates = LEDGER.bookOf(_live[i]).updates;
            assertGe(price, task.clockPrice, "a clock price is below its range");
            assertLe(price, task.reward, "a clock price is above its range");
            Sight memory last = _sights[_live[i]];
            if (last.price != 0 && last.updates == updates) {
                assertTrue(isDutch ? price <= last.price : price >= last.price, "a clock went back");
            }
            _sights[_live[i]] = Sight(price, updates);
        }
    }

    // --- Routes, as a service sets them ---

    function openRoutes() public {
        bytes4[25] memory selectors = marketSelectors();
        for (uint256 i; i < selectors.length; i++) {
            string memory verb = _verbOf(selectors[i]);
            uint8 legs = 3;
            IPaymentForwarder.SuffixRule rule = IPaymentForwarder.SuffixRule.None;
            if (bytes(verb).length > 0) {
                legs |= 4;
                rule = IPaymentForwarder.SuffixRule.Round;
                if (selectors[i] == ITaskMarket.submitWork.selector) rule = IPaymentForwarder.SuffixRule.Content;
            }
            if (_isOpen(selectors[i])) legs |= 8;
            IPaymentForwarder.Route memory route =
                IPaymentForwarder.Route(address(MARKET), selectors[i], legs, rule, verb);
            _call(owner, address(FORWARDER), 0, abi.encodeCall(FORWARDER.setRoute, (route)));
        }
    }

    /// @dev Everything that actors do with the market and that may be relayed.
    function marketSelectors() public pure returns (bytes4[25] memory) {
        return [
            ITaskMarket.createTask.selector,
            ITaskMarket.updateTask.selector,
            ITaskMarket.assignEvaluator.selector,
            ITaskMarket.claimTask.selector,
            ITaskMarket.submitPitch.selector,
            ITaskMarket.selectWorker.selector,
            ITaskMarket.submitBid.selector,
            ITaskMarket.selectLowestBidder.selector,
            ITaskMarket.acceptAuction.selector,
            ITaskMarket.forfeitAndReopen.selector,
            ITaskMarket.submitWork.selector,
            ITaskMarket.submitProof.selector,
            ITaskMarket.rejectSubmissions.selector,
            ITaskMarket.objectToDelivery.selector,
            ITaskMarket.evaluate.selector,
            ITaskMarket.appeal.selector,
            ITaskMarket.finalizeVerdict.selector,
            ITaskMarket.resolveDispute.selector,
            ITaskMarket.evaluatorTimeout.selector,
            ITaskMarket.acceptSubmission.selector,
            ITaskMarket.acceptSubmissions.selector,
            ITaskMarket.cancelTask.selector,
            ITaskMarket.refundExpired.selector,
            ITaskMarket.rateTask.selector,
            ITaskMarket.withdrawCredit.selector
        ];
    }

    /// @dev The word of the signed message; empty where nothing is signed.
    function _verbOf(bytes4 selector) private pure returns (string memory) {
        if (selector == ITaskMarket.submitWork.selector) return "submit";
        if (selector == ITaskMarket.claimTask.selector) return "claim";
        if (selector == ITaskMarket.forfeitAndReopen.selector) return "forfeit";
        return "";
    }

    function _isOpen(bytes4 selector) private pure returns (bool) {
        return selector == ITaskMarket.selectLowestBidder.selector || selector == ITaskMarket.finalizeVerdict.selector
            || selector == ITaskMarket.refundExpired.selector;
    }
}
