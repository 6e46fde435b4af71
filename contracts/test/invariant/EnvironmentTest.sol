// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EntryView, EvaluationView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {MarketHandler} from "./MarketHandler.sol";
import {Environment} from "./Environment.sol";
import {LedgerStorage} from "./ledger/LedgerStorage.sol";
import {LogLedger} from "./ledger/LogLedger.sol";

/// @title A market in full swing, and the laws that hold in it
abstract contract EnvironmentTest is MarketTest {
    uint256 internal constant ACTORS = 8;

    MarketHandler internal handler;
    LogLedger internal ledger;

    function setUp() public virtual override {
        // The ledger hears of the market from its first log on.
        vm.recordLogs();
        super.setUp();
        ledger = new LogLedger(address(usdc));
        Environment.Stage memory stage = Environment.Stage({
            market: market,
            forwarder: forwarder,
            usdc: usdc,
            ledger: ledger,
            owner: owner,
            relayer: relayer,
            identity: address(identity),
            reputation: address(reputation)
        });
        handler = new MarketHandler(stage);
        for (uint256 i; i < ACTORS; i++) {
            fund(handler.actorAt(i));
            fund(address(handler.hooks(i)));
            vm.prank(handler.actorAt(i));
            identity.register();
        }
        ledger.read(vm.getRecordedLogs(), address(market), address(forwarder));
        handler.openRoutes();
        address otherRelayer = handler.OTHER_RELAYER();
        vm.prank(owner);
        forwarder.setRelayer(otherRelayer, true);
        // The handler turns blacklist and pause of USDC: the token's roles go to it.
        vm.store(address(usdc), bytes32(uint256(0)), bytes32(uint256(uint160(address(handler)))));
        vm.store(address(usdc), bytes32(uint256(3)), bytes32(uint256(uint160(address(handler)))));
        assertEq(usdc.pauser(), address(handler));
        assertEq(usdc.blacklister(), address(handler));
    }

    /// @dev Asserts that market and forwarder hold what they owe, and what was sent to them by mistake.
    function checkMoney() internal view {
        uint256 owed = market.totalEscrow();
        assertEq(usdc.balanceOf(address(market)), owed + handler.donated(), "the market's balance");
        assertEq(ledger.market().totalEscrow, owed, "totalEscrow is not what logs say");
        uint256 held = forwarder.fees() + handler.waiting();
        assertEq(usdc.balanceOf(address(forwarder)), held, "the forwarder's balance");
        assertEq(usdc.allowance(address(forwarder), address(market)), 0, "the forwarder lends");
        assertEq(forwarder.pgtrSender(), address(0), "an actor outlived its call");
    }

    /// @dev Liabilities are the sum of their parts; each task is what its logs say; a task that ended does not change.
    function checkEverything() internal view {
        bytes32[] memory taskIds = ledger.taskIds();
        uint256 owed;
        for (uint256 i; i < taskIds.length; i++) {
            TaskView memory task = market.getTask(taskIds[i]);
            owed += task.escrow + task.stake;
            checkTask(taskIds[i], task);
            checkEntries(taskIds[i], task);
            checkHooks(taskIds[i], task);
        }
        assertEq(market.totalEscrow(), owed + checkAccounts(), "totalEscrow is not the sum of its parts");
        checkMarket();
        checkForwarder();
    }

    /// @dev Income, switches and what was spent, as the logs say.
    function checkForwarder() private view {
        assertEq(forwarder.fees(), ledger.fees(), "fees are not what logs say");
        for (uint256 i; i < ACTORS; i++) {
            address wallet = handler.actorAt(i);
            (bool on, uint256 counter) = ledger.switchOf(wallet);
            assertEq(forwarder.boundOnly(wallet), on, "boundOnly is not what logs say");
            assertEq(forwarder.boundOnlyCounter(wallet), counter, "boundOnlyCounter is not what logs say");
        }
    }

    /// @dev Asserts that every account received what the logs say, whatever hooks, registries and USDC did meanwhile.
    function checkAccounts() private view returns (uint256 credits) {
        address[] memory accounts = ledger.accounts();
        for (uint256 i; i < accounts.length; i++) {
            uint256 credit = market.creditOf(accounts[i]);
            credits += credit;
            assertEq(credit, ledger.creditOf(accounts[i]), "a credit is not what logs say");
            assertEq(ledger.sentTo(accounts[i]), ledger.dueTo(accounts[i]), "USDC sent is not what logs say");
        }
    }

    function checkTask(bytes32 taskId, TaskView memory task) private view {
        assertEq(abi.encode(task), abi.encode(ledger.taskOf(taskId)), "getTask is not what logs say");
        EvaluationView memory evaluation = market.evaluationOf(taskId);
        assertEq(abi.encode(evaluation), abi.encode(ledger.evaluationOf(taskId)), "evaluationOf is not what logs say");
        LedgerStorage.Book memory book = ledger.bookOf(taskId);
        assertEq(book.paidIn, book.paidOut + task.escrow + task.stake, "a task pays out what it took in");
        bool isTerminal = task.status >= Status.Completed;
        assertEq(book.endings, isTerminal ? 1 : 0, "a task ends once");
        assertEq(handler.finalHashes(taskId), isTerminal ? handler.hashOf(taskId) : bytes32(0), "terminal is final");
        if (isTerminal) assertEq(uint256(task.escrow) + task.stake, 0, "a terminal task holds money");
        assertEq(market.roundOf(taskId), task.round);
        (address bidder, uint256 lowest) = market.lowestBidOf(taskId);
        bool isOpen = task.status == Status.Open;
        assertEq(bidder, isOpen ? book.lowestBidder : address(0), "lowestBidOf is not what logs say");
        assertEq(lowest, isOpen ? book.lowestBid : 0, "lowestBidOf is not what logs say");
    }

    function checkEntries(bytes32 taskId, TaskView memory task) private view {
        uint256[3] memory sums;
        for (uint256 i; i < ACTORS; i++) {
            address worker = handler.actorAt(i);
            EntryView memory entry = market.entryOf(taskId, worker);
            assertEq(abi.encode(entry), abi.encode(ledger.entryOf(taskId, worker)), "entryOf is not what logs say");
            (sums[0], sums[1]) = (sums[0] + entry.submissions, sums[1] + entry.active);
            if (entry.awarded) sums[2]++;
            if (task.worker == address(0)) checkIndexes(taskId, worker);
        }
        assertEq(task.submissionCount, sums[0], "submissions are not the sum of the workers'");
        assertEq(task.activeSubmissions, sums[1], "active submissions are not the sum of the workers'");
        assertEq(task.awardCount, sums[2], "awards are not the sum of the workers'");
    }

    function checkIndexes(bytes32 taskId, address worker) private view {
        bytes32[] memory deliverables = ledger.deliverablesOf(taskId, worker);
        for (uint256 i; i < deliverables.length; i++) {
            (bool exists, uint32 index) = market.submissionIndexOf(taskId, worker, deliverables[i]);
            assertTrue(exists, "a deliverable of the logs is not committed");
            assertEq(index, ledger.submissionIndexOf(taskId, worker, deliverables[i]), "a submission's position");
        }
    }

    function checkHooks(bytes32 taskId, TaskView memory task) private view {
        LedgerStorage.Book memory book = ledger.bookOf(taskId);
        (address[] memory hooks, uint256 defaultCount) = market.hooksOf(taskId);
        assertEq(hooks, book.hooks, "hooksOf is not what logs say");
        assertEq(defaultCount, book.defaultCount, "hooksOf is not what logs say");
        bytes32 awardsHash;
        if (hooks.length > defaultCount && task.status == Status.Completed) {
            awardsHash = keccak256(abi.encode(book.winners, book.amounts));
        }
        assertEq(market.awardsHash(taskId), awardsHash, "awardsHash is not what logs say");
    }

    function checkMarket() private view {
        LedgerStorage.MarketBook memory book = ledger.market();
        assertEq(market.feeBps(), book.feeBps, "feeBps is not what logs say");
        assertEq(market.feeRecipient(), book.feeRecipient, "feeRecipient is not what logs say");
        assertEq(market.identityRegistry(), book.identityRegistry, "registries are not what logs say");
        assertEq(market.reputationRegistry(), book.reputationRegistry, "registries are not what logs say");
        assertEq(market.paused(), book.paused, "paused is not what logs say");
        assertEq(market.defaultHooks(), book.defaultHooks, "defaultHooks is not what logs say");
        assertEq(ledger.arrived(), arrivedBy(), "USDC came in that no account sent");
        for (uint256 i; i < ACTORS; i++) {
            address requester = handler.actorAt(i);
            assertEq(market.nonceOf(requester), ledger.nonceOf(requester), "nonceOf is not what logs say");
            assertEq(handler.hooks(i).breaches(), 0, "a hook reentered the market");
        }
    }

    /// @dev Returns the sum of what tasks took in and of all gifts.
    function arrivedBy() private view returns (uint256 sum) {
        bytes32[] memory taskIds = ledger.taskIds();
        for (uint256 i; i < taskIds.length; i++) {
            sum += ledger.bookOf(taskIds[i]).paidIn;
        }
        return sum + handler.given();
    }
}
