// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AnnouncedRefund, Authorization} from "../types/RelayTypes.sol";

/// @title Prepaid money: plain authorizations that another account submitted alone
/// @notice Limits what a hostile relayer could take of it. USDC marks used and cancelled authorizations alike, so the
/// forwarder cannot prove that the money of one arrived. All calls and refunds of a UTC day together therefore move at
/// most `prepaidPerDay` at once. A larger refund is announced 24 hours before, and can be vetoed.
///
/// Example: with 25 USDC a day, a refund of 3 USDC is paid at once; one of 400 USDC is announced today and executed by
/// any account tomorrow.
interface IPrepaidMoney {
    /// @notice Prepaid money was returned to its payer.
    event PrepaidRefunded(address indexed payer, bytes32 indexed nonce, uint256 amount);

    /// @notice A refund was announced. Any account can execute it from `executableFrom` on, Unix seconds.
    event RefundAnnounced(
        bytes32 indexed refundId,
        address indexed payer,
        bytes32 indexed nonce,
        uint256 value,
        address relayer,
        uint256 executableFrom
    );

    /// @notice The guardian withdrew an announced refund. It can be announced again.
    event RefundVetoed(bytes32 indexed refundId);

    /// @notice The owner set the daily limit, USDC base units.
    event PrepaidPerDaySet(uint256 prepaidPerDay);

    /// @notice The owner set the account that may veto refunds; zero: none.
    event GuardianSet(address indexed guardian);

    /// @notice The forwarder acted with this authorization or returned its money.
    error AuthorizationSpent(address payer, bytes32 nonce);

    /// @notice USDC has this authorization neither as used nor as cancelled.
    error AuthorizationNotUsed(address payer, bytes32 nonce);

    /// @notice The payer did not sign this authorization.
    error InvalidAuthorizationSignature(address payer);

    /// @notice The balance beside the forwarder's income is below the value of the authorization.
    error PrepaidNotCovered(uint256 available, uint256 value);

    /// @notice The value is above what is left of the day for this payer.
    error PrepaidLimitReached(uint256 left, uint256 value);

    /// @notice This relayer's announcement of the refund is in effect already.
    error RefundAlreadyAnnounced(bytes32 refundId);

    /// @notice No refund is announced under this id, or it was executed or vetoed.
    error RefundNotAnnounced(bytes32 refundId);

    /// @notice The refund can be executed from `executableFrom` on, Unix seconds.
    error RefundNotDue(uint256 executableFrom);

    /// @notice The relayer that announced the refund was dismissed since.
    error RefundVoid(bytes32 refundId);

    /// @notice Only the guardian can veto.
    error NotGuardian(address caller);

    /// @notice The guardian checks relayers, so it cannot be one.
    error GuardianIsRelayer(address account);

    /// @notice Returns the money of an authorization that another account submitted to its payer, within what is left
    /// of the day (relayers).
    ///
    /// Example: 3 USDC of a payer with a `prepaidLeft` of 25000000.
    /// @dev A cancelled authorization passes every check here like one whose money arrived: relayers prove the arrival
    /// by the logs of USDC before they call this.
    function refundPrepaid(Authorization calldata authorization, bytes calldata signature) external;

    /// @notice Announces such a refund of any amount (relayers), with the same proof.
    ///
    /// Example: 400 USDC announced at 1800000000 can be executed from 1800086400 on.
    /// @return refundId Id of this relayer's refund: keccak256(abi.encode(relayer, payer, nonce, value)).
    function announceRefund(Authorization calldata authorization, bytes calldata signature)
        external
        returns (bytes32 refundId);

    /// @notice Pays an announced refund 24 hours after its announcement; any account may call. It is void when its
    /// relayer was dismissed since, even when the relayer was allowed again.
    ///
    /// Example: `executeRefund(refundId)` pays the payer and emits `PrepaidRefunded`.
    function executeRefund(bytes32 refundId) external;

    /// @notice Withdraws an announced refund (guardian). The authorization stays unspent.
    ///
    /// Example: a refund of an authorization that was cancelled, so that its money never arrived.
    function vetoRefund(bytes32 refundId) external;

    /// @notice Sets how much prepaid money may move at once in a UTC day, USDC base units (owner).
    ///
    /// Example: 25000000; 0 stops prepaid calls and makes every refund wait for its notice.
    function setPrepaidPerDay(uint256 limit) external;

    /// @notice Sets the account that may veto refunds, never a relayer; zero: none (owner).
    ///
    /// Example: `setGuardian(watcher)`.
    function setGuardian(address account) external;

    /// @notice Returns the daily limit, USDC base units.
    ///
    /// Example: 25000000 in a new forwarder.
    function prepaidPerDay() external view returns (uint256);

    /// @notice Returns how much prepaid money of this payer may move at once today. Half of the limit is reserved for
    /// payers without prepaid money that moved today, so that one payer cannot use up the day of all others.
    ///
    /// Example: with a limit of 25000000, a payer whose 3000000 moved today has 12500000 left; any other payer has
    /// 22000000.
    function prepaidLeft(address payer) external view returns (uint256);

    /// @notice Returns the account that may veto refunds; zero: none.
    ///
    /// Example: zero in a new forwarder.
    function guardian() external view returns (address);

    /// @notice Returns an announced refund; zeros when there is none.
    ///
    /// Example: zeros after `vetoRefund(refundId)`.
    function announcedRefund(bytes32 refundId) external view returns (AnnouncedRefund memory);

    /// @notice Returns whether the forwarder acted with the authorization or returned its money.
    ///
    /// Example: true after the `relayPaid` that settled it.
    function spent(address payer, bytes32 nonce) external view returns (bool);
}
