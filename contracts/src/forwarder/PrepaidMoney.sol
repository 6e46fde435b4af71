// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IPrepaidMoney} from "../interfaces/IPrepaidMoney.sol";
import {AnnouncedRefund, Authorization} from "../types/RelayTypes.sol";
import {RelayerAccounts} from "./RelayerAccounts.sol";
import {UsdcAuthorization} from "./UsdcAuthorization.sol";

/// @title Prepaid money: the daily limit, and announced refunds
/// @notice Limits the prepaid money that a hostile relayer could move out of the forwarder. `IPrepaidMoney` documents
/// every function.
abstract contract PrepaidMoney is RelayerAccounts {
    /// @dev The daily limit on prepaid money with which a forwarder starts, in USDC base units.
    uint72 private constant PREPAID_PER_DAY = 25e6;

    /// @dev Time from the announcement of a refund to the payment, in seconds. Until the payment the guardian can veto
    /// the refund.
    uint256 private constant NOTICE = 24 hours;

    /// @notice The daily limit, and the sums of the latest day on which prepaid money moved.
    /// @param limit The daily limit, in USDC base units.
    /// @param day UTC day of `moved` and `movedAgain`, in days since 1970.
    /// @param moved Sum of the prepaid calls and immediate refunds of that day, in USDC base units.
    /// @param movedAgain Sum of each payer's second and later moves of that day, in USDC base units; a part of `moved`.
    struct PrepaidDay {
        uint72 limit;
        uint32 day;
        uint72 moved;
        uint72 movedAgain;
    }

    /// @inheritdoc IPrepaidMoney
    mapping(address payer => mapping(bytes32 nonce => bool)) public spent;

    /// @dev Announced refunds that are not paid yet, by id.
    mapping(bytes32 refundId => AnnouncedRefund) private _refunds;

    /// @dev The daily limit on prepaid money, and the sums of one day: the latest day on which prepaid money was moved.
    PrepaidDay private _prepaidDay;

    /// @dev Sets the daily limit on prepaid money to 25 USDC.
    constructor() {
        _setPrepaidPerDay(PREPAID_PER_DAY);
    }

    // --- Refunds ---

    /// @inheritdoc IPrepaidMoney
    function refundPrepaid(Authorization calldata authorization, bytes calldata signature) external onlyRelayer locked {
        // Check, effect:
        _checkPrepaid(authorization, signature);
        _moveToday(authorization.from, authorization.value);

        // Effect, interaction, log:
        _payRefund(authorization.from, authorization.nonce, authorization.value);
    }

    /// @inheritdoc IPrepaidMoney
    function announceRefund(Authorization calldata authorization, bytes calldata signature)
        external
        onlyRelayer
        locked
        returns (bytes32 refundId)
    {
        // Check:
        _checkPrepaid(authorization, signature);
        (address payer, bytes32 nonce, uint256 value) = (authorization.from, authorization.nonce, authorization.value);
        refundId = keccak256(abi.encode(msg.sender, payer, nonce, value));
        uint32 term = _termOf(msg.sender);
        // A second announcement would restart the notice: a hostile relayer could delay a refund for ever.
        AnnouncedRefund storage refund = _refunds[refundId];
        if (refund.relayerTerm == term) revert RefundAlreadyAnnounced(refundId);

        // Effect:
        uint40 executableFrom = SafeCast.toUint40(block.timestamp + NOTICE);
        (refund.payer, refund.executableFrom, refund.relayerTerm) = (payer, executableFrom, term);
        (refund.relayer, refund.value, refund.nonce) = (msg.sender, SafeCast.toUint72(value), nonce);

        // Log:
        emit RefundAnnounced(refundId, payer, nonce, value, msg.sender, executableFrom);
    }

    /// @inheritdoc IPrepaidMoney
    function executeRefund(bytes32 refundId) external locked {
        // Check:
        AnnouncedRefund memory refund = _refunds[refundId];
        if (refund.executableFrom == 0) revert RefundNotAnnounced(refundId);
        if (block.timestamp < refund.executableFrom) revert RefundNotDue(refund.executableFrom);
        if (_termOf(refund.relayer) != refund.relayerTerm) revert RefundVoid(refundId);
        if (spent[refund.payer][refund.nonce]) revert AuthorizationSpent(refund.payer, refund.nonce);
        _checkCovered(refund.value);

        // Effect:
        delete _refunds[refundId];

        // Effect, interaction, log:
        _payRefund(refund.payer, refund.nonce, refund.value);
    }

    /// @inheritdoc IPrepaidMoney
    function vetoRefund(bytes32 refundId) external {
        // Check:
        if (msg.sender != guardian) revert NotGuardian(msg.sender);
        if (_refunds[refundId].executableFrom == 0) revert RefundNotAnnounced(refundId);

        // Effect:
        delete _refunds[refundId];

        // Log:
        emit RefundVetoed(refundId);
    }

    // --- Administration ---

    /// @inheritdoc IPrepaidMoney
    function setPrepaidPerDay(uint256 limit) external onlyOwner {
        _setPrepaidPerDay(limit);
    }

    // --- Views ---

    /// @inheritdoc IPrepaidMoney
    function prepaidPerDay() external view returns (uint256) {
        return _prepaidDay.limit;
    }

    /// @inheritdoc IPrepaidMoney
    function prepaidLeft(address payer) external view returns (uint256 left) {
        (, left,) = _today(payer);
    }

    /// @inheritdoc IPrepaidMoney
    function announcedRefund(bytes32 refundId) external view returns (AnnouncedRefund memory) {
        return _refunds[refundId];
    }

    // --- Steps ---

    /// @dev Checks that an authorization can be spent as prepaid money. Requires four conditions: the payer signed the
    /// authorization, USDC records the authorization's nonce as used or cancelled, the forwarder has not spent the
    /// authorization, and the forwarder's balance without fees is at least the authorization's value.
    ///
    /// These checks do not show whether the money arrived, because the payer may have cancelled the authorization. The
    /// relayer must find out from USDC's logs whether the money arrived.
    function _checkPrepaid(Authorization calldata authorization, bytes calldata signature) internal view {
        (address payer, bytes32 nonce) = (authorization.from, authorization.nonce);
        if (spent[payer][nonce]) revert AuthorizationSpent(payer, nonce);
        UsdcAuthorization.checkUsed(USDC, authorization, signature);
        _checkCovered(authorization.value);
    }

    /// @dev Adds `value` to the prepaid money that moved today. Reverts with PrepaidLimitReached if less than `value`
    /// is left for the payer.
    function _moveToday(address payer, uint256 value) internal {
        (PrepaidDay memory day, uint256 left, bool isRepeated) = _today(payer);
        if (value > left) revert PrepaidLimitReached(left, value);
        // No limit is above 72 bits.
        // forge-lint: disable-next-line(unsafe-typecast)
        uint72 amount = uint72(value);
        day.moved += amount;
        if (isRepeated) day.movedAgain += amount;
        _prepaidDay = day;
        _wallets[payer].prepaidDay = day.day;
    }

    /// @dev Records that the authorization with this nonce is spent, and sends `value` to the payer.
    function _payRefund(address payer, bytes32 nonce, uint256 value) private {
        // Effect:
        spent[payer][nonce] = true;

        // Interaction:
        SafeERC20.safeTransfer(USDC, payer, value);

        // Log:
        emit PrepaidRefunded(payer, nonce, value);
    }

    /// @dev Sets the daily limit on prepaid money. Amounts that have already moved today count against the new limit.
    function _setPrepaidPerDay(uint256 limit) private {
        _prepaidDay.limit = SafeCast.toUint72(limit);
        emit PrepaidPerDaySet(limit);
    }

    /// @dev Reverts with PrepaidNotCovered if the forwarder's balance without the collected fees is below `value`.
    function _checkCovered(uint256 value) private view {
        uint256 available = USDC.balanceOf(address(this)) - fees();
        if (available < value) revert PrepaidNotCovered(available, value);
    }

    /// @dev Returns the state of today. `day`: today's sums. `left`: the amount of the payer's prepaid money that may
    /// still be moved today without an announcement. `isRepeated`: whether prepaid money of the payer has already been
    /// moved today. Half of the daily limit is the maximum for all second and later movements of all payers together.
    /// If `isRepeated` is true, `left` is therefore at most the rest of this half.
    function _today(address payer) private view returns (PrepaidDay memory day, uint256 left, bool isRepeated) {
        day = _prepaidDay;
        uint32 today = SafeCast.toUint32(block.timestamp / 1 days);
        if (day.day != today) (day.day, day.moved, day.movedAgain) = (today, 0, 0);
        isRepeated = _wallets[payer].prepaidDay == today;
        // The owner can lower the limit below what moved.
        left = Math.saturatingSub(day.limit, day.moved);
        if (isRepeated) left = Math.min(left, Math.saturatingSub(day.limit / 2, day.movedAgain));
    }
}
