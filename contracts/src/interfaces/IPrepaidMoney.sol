// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AnnouncedRefund, Authorization} from "../types/RelayTypes.sol";

/// @title Prepaid money: payments that arrived in the forwarder before the call that they pay for
/// @notice Any account can submit a payer's authorization to USDC directly. The money then arrives without the call. A
/// relayer can use this prepaid money for the call, or can refund it. A hostile relayer could take prepaid money, so
/// its movements are limited. Prepaid calls and immediate refunds together move at most `prepaidPerDay` in one UTC day.
/// A larger refund must be announced 24 hours before it is paid, and the guardian can veto it.
///
/// The limit is necessary because the forwarder cannot prove that prepaid money arrived: USDC records used and
/// cancelled authorizations in the same way.
///
/// Example: with a limit of 25 USDC a day, a refund of 3 USDC is paid at once. A refund of 400 USDC is announced today,
/// and any account can execute it tomorrow.
interface IPrepaidMoney {
    /// @notice Prepaid money was returned to its payer; `amount` is in USDC base units.
    event PrepaidRefunded(address indexed payer, bytes32 indexed nonce, uint256 amount);

    /// @notice A relayer announced a refund. Any account can execute the refund from `executableFrom` (Unix seconds)
    /// on. `value` is in USDC base units.
    event RefundAnnounced(
        bytes32 indexed refundId,
        address indexed payer,
        bytes32 indexed nonce,
        uint256 value,
        address relayer,
        uint256 executableFrom
    );

    /// @notice The guardian vetoed an announced refund. A relayer can announce the refund again.
    event RefundVetoed(bytes32 indexed refundId);

    /// @notice The owner set the limit on the prepaid money that may move in one day, in USDC base units.
    event PrepaidPerDaySet(uint256 prepaidPerDay);

    /// @notice The owner set the guardian, the account that may veto refunds; zero if there is no guardian.
    event GuardianSet(address indexed guardian);

    /// @notice The forwarder has already used this authorization for a call, or has refunded the authorization.
    error AuthorizationSpent(address payer, bytes32 nonce);

    /// @notice The payment is not prepaid. In USDC, the payer's authorization is still open (not used and not
    /// cancelled), so the money has not arrived.
    error AuthorizationNotUsed(address payer, bytes32 nonce);

    /// @notice The payer did not sign this authorization.
    error InvalidAuthorizationSignature(address payer);

    /// @notice The value of the authorization is above `available`, which is the forwarder's USDC balance less its
    /// collected fees.
    error PrepaidNotCovered(uint256 available, uint256 value);

    /// @notice `value` is above `left`, the amount of the payer's prepaid money that may still be moved today without
    /// an announcement. Both amounts are USDC base units.
    error PrepaidLimitReached(uint256 left, uint256 value);

    /// @notice The calling relayer has already announced this refund.
    error RefundAlreadyAnnounced(bytes32 refundId);

    /// @notice No refund was announced under this id, or the refund was already executed or vetoed.
    error RefundNotAnnounced(bytes32 refundId);

    /// @notice The refund can be executed only from `executableFrom` on, a time in Unix seconds.
    error RefundNotDue(uint256 executableFrom);

    /// @notice The relayer that announced the refund was dismissed after the announcement.
    error RefundVoid(bytes32 refundId);

    /// @notice Only the guardian can veto a refund.
    error NotGuardian(address caller);

    /// @notice An account cannot be both guardian and relayer, because the guardian checks the relayers.
    error GuardianIsRelayer(address account);

    /// @notice Returns prepaid money to the payer at once. The value must be at most `prepaidLeft(payer)`. Only
    /// relayers may call.
    ///
    /// Example: a refund of 3 USDC succeeds for a payer with a `prepaidLeft` of 25000000.
    /// @dev This function also accepts a cancelled authorization, whose money never arrived. The relayer must first
    /// find the arrival of the money in the logs of USDC.
    function refundPrepaid(Authorization calldata authorization, bytes calldata signature) external;

    /// @notice Announces a refund of prepaid money of any amount. Any account can execute the refund 24 hours later.
    /// The relayer must first find the arrival of the money in the logs of USDC. Only relayers may call.
    ///
    /// Example: a refund of 400 USDC that is announced at 1800000000 can be executed from 1800086400 on.
    /// @return refundId Id of this relayer's refund: keccak256(abi.encode(relayer, payer, nonce, value)).
    function announceRefund(Authorization calldata authorization, bytes calldata signature)
        external
        returns (bytes32 refundId);

    /// @notice Pays an announced refund, from 24 hours after the announcement on. Any account may call. A dismissal of
    /// the announcing relayer voids the refund permanently.
    ///
    /// Example: `executeRefund(refundId)` pays the payer and emits `PrepaidRefunded`.
    function executeRefund(bytes32 refundId) external;

    /// @notice Deletes an announced refund. A relayer can announce the same refund again. Only the guardian may call.
    ///
    /// Example: the guardian vetoes the refund of a cancelled authorization, because the money never arrived.
    function vetoRefund(bytes32 refundId) external;

    /// @notice Sets the daily limit: the amount of prepaid money that may move in one UTC day without an announcement,
    /// in USDC base units. Only the owner may call.
    ///
    /// Example: 25000000 for 25 USDC. With 0 no prepaid call is possible, and every refund must be announced.
    function setPrepaidPerDay(uint256 limit) external;

    /// @notice Sets the guardian, the account that may veto refunds; zero removes the guardian. A relayer cannot be the
    /// guardian. Only the owner may call.
    ///
    /// Example: `setGuardian(watcher)`.
    function setGuardian(address account) external;

    /// @notice Returns the daily limit: the amount of prepaid money that may move in one UTC day without an
    /// announcement, in USDC base units.
    ///
    /// Example: 25000000 in a new forwarder.
    function prepaidPerDay() external view returns (uint256);

    /// @notice Returns how much prepaid money of this payer may still be moved today without an announcement, in USDC
    /// base units. The first movement of a payer on a day may use the whole rest of the daily limit. The second and
    /// later movements of all payers together may use at most half of the limit. Repeated movements therefore cannot
    /// use up the whole limit.
    ///
    /// Example: the limit is 25000000. After 3000000 of one payer were moved today, this payer has 12500000 left (half
    /// of the limit). A payer whose money was not moved today has 22000000 left (the limit minus 3000000).
    function prepaidLeft(address payer) external view returns (uint256);

    /// @notice Returns the guardian, the account that may veto refunds; zero if there is no guardian.
    ///
    /// Example: zero in a new forwarder.
    function guardian() external view returns (address);

    /// @notice Returns an announced refund. All fields are zero if no refund is announced under this id.
    ///
    /// Example: zeros after `vetoRefund(refundId)`.
    function announcedRefund(bytes32 refundId) external view returns (AnnouncedRefund memory);

    /// @notice Returns whether the forwarder has used this authorization for a call or has refunded the authorization.
    ///
    /// Example: true after a `relayPaid` with this authorization.
    function spent(address payer, bytes32 nonce) external view returns (bool);
}
