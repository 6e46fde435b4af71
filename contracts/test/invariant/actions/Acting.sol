// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Route, SuffixRule} from "../../../src/types/RelayTypes.sol";
import {TaskView} from "../../../src/types/TaskTypes.sol";
import {Relaying} from "./Relaying.sol";

/// @title Calls of an actor: direct, or through a relay
/// @notice A refused call is no error: the laws hold all the same.
abstract contract Acting is Relaying {
    /// @dev USDC given to the market, less what the owner swept.
    uint256 public donated;
    /// @dev Sum of all USDC given to the market.
    uint256 public given;
    /// @dev USDC at the forwarder beside its income: prepaid by lone authorizations, or sent there by mistake.
    uint256 public waiting;

    /// @dev Clock prices as they were seen last, by task; `updates` tells the terms they belong to.
    struct Sight {
        uint256 price;
        uint256 updates;
    }

    mapping(bytes32 taskId => Sight) private _sights;

    /// @dev Makes a call in a random way. `escrow` is what the call takes from its caller.
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

    /// @dev Makes a direct call that nothing may stop: no hook, no pause, no account that cannot be paid.
    function _must(uint256 actor, bytes32 taskId, bytes memory data, string memory law) internal {
        assertTrue(_call(actorAt(actor), address(MARKET), taskId, data), law);
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
            uint8 relayModes = 3;
            SuffixRule rule = SuffixRule.None;
            if (bytes(verb).length > 0) {
                relayModes |= 4;
                rule = SuffixRule.Round;
                if (selectors[i] == ITaskMarket.submitWork.selector) rule = SuffixRule.Content;
            }
            if (_isOpen(selectors[i])) relayModes |= 8;
            Route memory route = Route(address(MARKET), selectors[i], relayModes, rule, verb);
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

    function _isOpen(bytes4 selector) private pure returns (bool) {
        return selector == ITaskMarket.selectLowestBidder.selector || selector == ITaskMarket.finalizeVerdict.selector
            || selector == ITaskMarket.refundExpired.selector;
    }
}
