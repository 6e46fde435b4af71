// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "./interfaces/ITaskMarket.sol";
import {AuctionLib} from "./libraries/AuctionLib.sol";
import {DeliveryLib} from "./libraries/DeliveryLib.sol";
import {EntryLib} from "./libraries/EntryLib.sol";
import {EvaluationLib} from "./libraries/EvaluationLib.sol";
import {RatingLib} from "./libraries/RatingLib.sol";
import {SettlementLib} from "./libraries/SettlementLib.sol";
import {TermsLib} from "./libraries/TermsLib.sol";
import {UpdateLib} from "./libraries/UpdateLib.sol";
import {CallForwarding} from "./market/CallForwarding.sol";
import {MarketAdmin} from "./market/MarketAdmin.sol";
import {MarketBase} from "./market/MarketBase.sol";
import {MarketViews} from "./market/MarketViews.sol";
import {
    Award,
    CreateTaskParams,
    EvaluatorTerms,
    RateParams,
    UpdateTaskParams,
    Verdict,
    Winner
} from "./types/TaskTypes.sol";

/// @title The task market
/// @notice Holds the reward of each task in escrow and pays the winners. `ITaskMarket` documents every function.
/// Libraries that the market calls by delegatecall contain the code of the functions. The contract cannot be upgraded.
/// Its owner cannot change a task.
contract TaskMarket is MarketAdmin, MarketViews {
    /// @notice Settings of a new market.
    /// @param owner Account that may change the market's settings.
    /// @param usdc Address of USDC, the token of all payments.
    /// @param forwarder The payment forwarder. If it calls the market, the actor is the account that its `pgtrSender()`
    /// returns.
    /// @param feeRecipient Receiver of platform fees and forfeited stakes.
    /// @param feeBps Platform fee in basis points.
    /// @param identityRegistry ERC-8004 registry of agents; zero if ratings are not copied.
    /// @param reputationRegistry ERC-8004 registry of feedback; zero if ratings are not copied.
    struct Setup {
        address owner;
        address usdc;
        address forwarder;
        address feeRecipient;
        uint16 feeBps;
        address identityRegistry;
        address reputationRegistry;
    }

    /// @param setup Settings of the market. The constructor checks them like a later change by the owner.
    constructor(Setup memory setup) MarketBase(setup.owner, setup.usdc, setup.forwarder) {
        _setFeeBps(setup.feeBps);
        _setFeeRecipient(setup.feeRecipient);
        _setRegistries(setup.identityRegistry, setup.reputationRegistry);
    }

    // --- Terms ---

    /// @inheritdoc ITaskMarket
    function createTask(CreateTaskParams calldata params) external locked returns (bytes32 taskId) {
        uint256 start;
        assembly ("memory-safe") {
            start := params
        }
        bytes4 selector = TermsLib.createTask.selector;
        return CallForwarding.delegate(address(TermsLib), selector, _market, address(USDC), _actor(), start);
    }

    /// @inheritdoc ITaskMarket
    function updateTask(UpdateTaskParams calldata params) external locked {
        UpdateLib.updateTask(_market, USDC, _actor(), params);
    }

    /// @inheritdoc ITaskMarket
    function assignEvaluator(bytes32 taskId, EvaluatorTerms calldata terms) external locked {
        TermsLib.assignEvaluator(_market, _actor(), taskId, terms);
    }

    // --- Assignment ---

    /// @inheritdoc ITaskMarket
    function claimTask(bytes32 taskId, bytes32 termsHash) external locked {
        EntryLib.claimTask(_market, USDC, _actor(), taskId, termsHash);
    }

    /// @inheritdoc ITaskMarket
    function submitPitch(bytes32 taskId, bytes32 pitchHash) external locked {
        EntryLib.submitPitch(_market, USDC, _actor(), taskId, pitchHash);
    }

    /// @inheritdoc ITaskMarket
    function selectWorker(bytes32 taskId, address worker) external locked {
        EntryLib.selectWorker(_market, USDC, _actor(), taskId, worker);
    }

    /// @inheritdoc ITaskMarket
    function submitBid(bytes32 taskId, uint96 price) external locked {
        AuctionLib.submitBid(_market, USDC, _actor(), taskId, price);
    }

    /// @inheritdoc ITaskMarket
    function selectLowestBidder(bytes32 taskId) external locked {
        AuctionLib.selectLowestBidder(_market, USDC, taskId);
    }

    /// @inheritdoc ITaskMarket
    function acceptAuction(bytes32 taskId, uint96 minPrice) external locked {
        AuctionLib.acceptAuction(_market, USDC, _actor(), taskId, minPrice);
    }

    /// @inheritdoc ITaskMarket
    function forfeitAndReopen(bytes32 taskId) external locked {
        EntryLib.forfeitAndReopen(_market, USDC, _actor(), taskId);
    }

    // --- Deliveries ---

    /// @inheritdoc ITaskMarket
    function submitWork(bytes32 taskId, bytes32 deliverable) external locked {
        DeliveryLib.submitWork(_market, USDC, _actor(), taskId, deliverable);
    }

    /// @inheritdoc ITaskMarket
    function submitProof(bytes32 taskId, bytes32 proofHash, bytes32 proofType, uint256 metricValue) external locked {
        DeliveryLib.submitProof(_market, USDC, _actor(), taskId, proofHash, proofType, metricValue);
    }

    /// @inheritdoc ITaskMarket
    function rejectSubmissions(bytes32 taskId, address[] calldata workers) external locked {
        DeliveryLib.rejectSubmissions(_market, _actor(), taskId, workers);
    }

    /// @inheritdoc ITaskMarket
    function objectToDelivery(bytes32 taskId) external locked {
        DeliveryLib.objectToDelivery(_market, _actor(), taskId);
    }

    // --- Evaluation ---

    /// @inheritdoc ITaskMarket
    function evaluate(
        bytes32 taskId,
        Verdict verdict,
        uint16 score,
        uint16 confidence,
        bytes32 evidenceHash,
        Award[] calldata awards
    ) external locked {
        EvaluationLib.Opinion memory opinion = EvaluationLib.Opinion({
            verdict: verdict, score: score, confidence: confidence, evidenceHash: evidenceHash
        });
        EvaluationLib.evaluate(_market, USDC, _actor(), taskId, opinion, awards);
    }

    /// @inheritdoc ITaskMarket
    function appeal(bytes32 taskId) external locked {
        EvaluationLib.appeal(_market, _actor(), taskId);
    }

    /// @inheritdoc ITaskMarket
    function finalizeVerdict(bytes32 taskId) external locked {
        EvaluationLib.finalizeVerdict(_market, USDC, taskId);
    }

    /// @inheritdoc ITaskMarket
    function resolveDispute(bytes32 taskId, Verdict verdict, Award[] calldata awards) external locked {
        EvaluationLib.resolveDispute(_market, USDC, _actor(), taskId, verdict, awards);
    }

    /// @inheritdoc ITaskMarket
    function evaluatorTimeout(bytes32 taskId) external locked {
        EvaluationLib.evaluatorTimeout(_market, _actor(), taskId);
    }

    // --- Endings ---

    /// @inheritdoc ITaskMarket
    function acceptSubmission(bytes32 taskId, address worker, bytes32 deliverable) external locked {
        SettlementLib.acceptSubmission(_market, USDC, _actor(), taskId, worker, deliverable);
    }

    /// @inheritdoc ITaskMarket
    function acceptSubmissions(bytes32 taskId, Winner[] calldata winners) external locked {
        SettlementLib.acceptSubmissions(_market, USDC, _actor(), taskId, winners);
    }

    /// @inheritdoc ITaskMarket
    function cancelTask(bytes32 taskId) external locked {
        SettlementLib.cancelTask(_market, USDC, _actor(), taskId);
    }

    /// @inheritdoc ITaskMarket
    function refundExpired(bytes32 taskId) external locked {
        SettlementLib.refundExpired(_market, USDC, taskId);
    }

    /// @inheritdoc ITaskMarket
    function settleStale(bytes32 taskId) external locked {
        SettlementLib.settleStale(_market, USDC, taskId);
    }

    // --- After the end ---

    /// @inheritdoc ITaskMarket
    function rateTask(RateParams calldata params) external locked {
        RatingLib.rateTask(_market, _actor(), params);
    }

    /// @inheritdoc ITaskMarket
    function withdrawCredit(address to) external locked {
        if (to == address(0)) revert ZeroAddress();
        // USDC sent there would belong to no account.
        if (to == address(this) || to == FORWARDER) revert InvalidRecipient(to);
        _payCredit(_actor(), to);
    }

    /// @inheritdoc ITaskMarket
    function pushCredit(address account) external locked {
        _payCredit(account, account);
    }

    /// @dev Pays the credit of `account` to `to`. If USDC refuses the transfer, the call reverts with USDC's error. The
    /// credit then remains.
    function _payCredit(address account, address to) private {
        // Check:
        uint256 amount = _market.credits[account];
        if (amount == 0) revert NoCredit(account);

        // Effect:
        _market.credits[account] = 0;
        _market.totalEscrow -= SafeCast.toUint72(amount);

        // Interaction:
        SafeERC20.safeTransfer(USDC, to, amount);

        // Log:
        emit CreditWithdrawn(account, to, amount);
    }
}
