// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Award, EntryView, EvaluationView, TaskView} from "../../../src/types/TaskTypes.sol";

/// @title State that the ledger derives from logs
abstract contract LedgerStorage {
    /// @dev Facts of a task's logs beyond its views.
    /// @param paidIn Reward, raises and stakes, in USDC base units.
    /// @param paidOut Awards (gross), the evaluator's fee, refunds, and stakes returned or forfeited.
    /// @param endings How often it ended.
    /// @param updates How often its terms changed.
    /// @param winners Of its awards, in the order of their logs; `amounts` are theirs.
    struct Book {
        uint256 paidIn;
        uint256 paidOut;
        uint256 endings;
        uint256 updates;
        address lowestBidder;
        uint96 lowestBid;
        address[] hooks;
        uint256 defaultCount;
        address[] winners;
        uint256[] amounts;
    }

    /// @dev Facts of the market's logs about the market itself.
    struct MarketBook {
        uint256 totalEscrow;
        uint16 feeBps;
        address feeRecipient;
        address identityRegistry;
        address reputationRegistry;
        bool paused;
        address[] defaultHooks;
    }

    MarketBook internal _market;
    bytes32[] internal _taskIds;
    mapping(bytes32 taskId => TaskView) internal _tasks;
    mapping(bytes32 taskId => EvaluationView) internal _evaluations;
    mapping(bytes32 taskId => Book) internal _books;
    /// @dev Awards of a completion: the evaluator's, or the resolver's.
    mapping(bytes32 taskId => Award[]) internal _rulings;
    mapping(bytes32 taskId => mapping(address worker => EntryView)) internal _entries;
    mapping(bytes32 taskId => mapping(address worker => bytes32[])) internal _deliverables;
    mapping(bytes32 taskId => mapping(address worker => mapping(bytes32 deliverable => uint32))) internal _indexes;
    mapping(address requester => uint256) internal _nonces;
    mapping(address account => uint256) internal _credits;

    /// @dev USDC the market says it paid to an account, what of it became credit instead, and what USDC says.
    mapping(address account => uint256) internal _due;
    mapping(address account => uint256) internal _deferred;
    mapping(address account => uint256) internal _sent;
    /// @dev USDC that reached the market from anywhere.
    uint256 internal _arrived;
    /// @dev Accounts that appear in a payment or transfer of the logs.
    address[] internal _accounts;
    mapping(address account => bool) internal _isKnown;
    mapping(bytes32 intentId => bool) internal _acted;

    /// @dev The forwarder's: income that was not swept, and the switches of wallets.
    uint256 internal _fees;
    mapping(address wallet => bool) internal _boundOnly;
    mapping(address wallet => uint256) internal _counters;

    // --- Answers ---

    function taskOf(bytes32 taskId) external view returns (TaskView memory) {
        return _tasks[taskId];
    }

    function evaluationOf(bytes32 taskId) external view returns (EvaluationView memory) {
        return _evaluations[taskId];
    }

    function entryOf(bytes32 taskId, address worker) external view returns (EntryView memory) {
        return _entries[taskId][worker];
    }

    function bookOf(bytes32 taskId) external view returns (Book memory) {
        return _books[taskId];
    }

    function market() external view returns (MarketBook memory) {
        return _market;
    }

    function taskIds() external view returns (bytes32[] memory) {
        return _taskIds;
    }

    function deliverablesOf(bytes32 taskId, address worker) external view returns (bytes32[] memory) {
        return _deliverables[taskId][worker];
    }

    function submissionIndexOf(bytes32 taskId, address worker, bytes32 deliverable) external view returns (uint32) {
        return _indexes[taskId][worker][deliverable];
    }

    function nonceOf(address requester) external view returns (uint256) {
        return _nonces[requester];
    }

    function creditOf(address account) external view returns (uint256) {
        return _credits[account];
    }

    function accounts() external view returns (address[] memory) {
        return _accounts;
    }

    function dueTo(address account) external view returns (uint256) {
        return _due[account] - _deferred[account];
    }

    function fees() external view returns (uint256) {
        return _fees;
    }

    function switchOf(address wallet) external view returns (bool on, uint256 counter) {
        return (_boundOnly[wallet], _counters[wallet]);
    }

    function sentTo(address account) external view returns (uint256) {
        return _sent[account];
    }

    function arrived() external view returns (uint256) {
        return _arrived;
    }

    function isTerminal(bytes32 taskId) external view returns (bool) {
        return _books[taskId].endings > 0;
    }

    // --- Steps that every reader shares ---

    function _know(address account) internal {
        if (_isKnown[account]) return;
        _isKnown[account] = true;
        _accounts.push(account);
    }

    /// @dev Money came in for a task.
    function _take(bytes32 taskId, uint256 amount) internal {
        _books[taskId].paidIn += amount;
        _market.totalEscrow += amount;
    }

    /// @dev Money of a task goes to an account. Whether it could not be delivered, a log of its own says.
    function _pay(bytes32 taskId, address to, uint256 amount) internal {
        _know(to);
        _books[taskId].paidOut += amount;
        _due[to] += amount;
        _market.totalEscrow -= amount;
    }
}
