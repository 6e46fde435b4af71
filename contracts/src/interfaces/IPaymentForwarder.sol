// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Authorization, RelayMode, Route, SuffixRule} from "../types/RelayTypes.sol";
import {IBoundOnly} from "./IBoundOnly.sol";
import {IPrepaidMoney} from "./IPrepaidMoney.sol";

/// @notice ERC-8194, payment-gated transaction relay: what a target reads from its forwarder.
interface IPGTRForwarder {
    /// @notice A relayed call succeeded. `payer` is the actor, `paymentAmount` the USDC that came with it.
    event PaymentGatedCall(
        address indexed payer, address indexed target, bytes4 indexed selector, uint256 paymentAmount
    );

    /// @notice Returns true: lets a target recognise a forwarder.
    // forge-lint: disable-next-line(mixed-case-function)
    function isPGTRForwarder() external view returns (bool);

    /// @notice Returns the actor of the call in progress; zero outside one and for permissionless calls.
    function pgtrSender() external view returns (address);
}

/// @title Payment and action in one transaction
/// @notice Five relay modes over one allow-list of (target, selector). Only relayers call them, and each intent id acts
/// once. The bounds of hostile relayers, all keys together:
/// - A bound payment or a call-bound message: that call, or none.
/// - A plain payment or message that they were given: any call of its routes, in the payer's or signer's name.
/// - Prepaid money: `prepaidPerDay` a UTC day at once; above it a refund that is announced 24 hours before.
/// - A wallet that is `boundOnly`: only calls that it signed as a whole.
interface IPaymentForwarder is IPGTRForwarder, IBoundOnly, IPrepaidMoney {
    /// @notice An intent acted.
    /// @param amount USDC base units paid with it.
    /// @param paymentNonce The payment's authorization; zero when free.
    /// @param escrowAmount The part of `amount` that the target took; the rest is the action fee.
    event IntentRelayed(
        bytes32 indexed intentId,
        address indexed actor,
        bytes4 indexed selector,
        uint256 amount,
        bytes32 paymentNonce,
        uint256 escrowAmount
    );

    /// @notice The owner allowed or dismissed a relayer.
    event RelayerSet(address indexed relayer, bool allowed);

    /// @notice The owner set a route.
    event RouteSet(
        address indexed target, bytes4 indexed selector, uint8 relayModes, SuffixRule suffixRule, string verb
    );

    /// @notice The owner took the action fees.
    event FeesSwept(address indexed to, uint256 amount);

    /// @notice Only relayers may call this.
    error NotRelayer(address caller);

    /// @notice The intent acted already.
    error IntentAlreadyRelayed(bytes32 intentId);

    /// @notice The function is not open to this relay mode.
    error RouteNotAllowed(address target, bytes4 selector, RelayMode relayMode);

    /// @notice The authorization's nonce does not name this call.
    error PaymentNotBound(bytes32 expected, bytes32 given);

    /// @notice The target took another amount than the escrow.
    error EscrowMismatch(uint256 sent, int256 taken);

    /// @notice The escrow is more than the payment.
    error EscrowExceedsPayment(uint256 escrowAmount, uint256 value);

    /// @notice More than `maximum` of the payment would become income.
    error FeeAboveMaximum(uint256 fee, uint256 maximum);

    /// @notice The actor did not sign this message.
    error InvalidActorSignature(address actor);

    /// @notice The suffix is not the one of the route's rule.
    error InvalidSuffix(string suffix);

    /// @notice The data has no first argument.
    error NoTaskId();

    /// @notice USDC can be no target.
    error UsdcIsNeverATarget();

    /// @notice A target must be a contract.
    error TargetHasNoCode(address target);

    /// @notice A verb has at most 30 bytes.
    error VerbTooLong(string verb);

    /// @notice There are no fees to take.
    error NothingToSweep();

    /// @notice The address must be another.
    error ZeroAddress();

    /// @notice A relayed call called the forwarder back.
    error Reentered();

    /// @notice Settles the authorization and makes the call with its payer as actor; exactly `escrowAmount` must be
    /// pulled by the target, the rest of the payment is the action fee, at most 1 USDC. A revert undoes the payment.
    ///
    /// Example: an authorization of 5 USDC, escrowAmount 5000000 and `createTask` with a reward of 5000000.
    /// @return result The return data of the call.
    function relayPaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Does the same with a payment that is bound to the call: the payer signed `ReceiveWithAuthorization`, which
    /// only this contract can submit, with `boundNonceOf(target, data, escrowAmount, salt)` as nonce.
    ///
    /// Example: the data of relayPaid's, the same escrowAmount, and a salt that only payer and service can derive.
    /// @return result The return data of the call.
    function relayBound(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        bytes32 salt,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Does the same as relayPaid for an authorization that another account submitted: its money is held here. Within
    /// what is left of the day, `prepaidLeft`.
    /// @return result The return data of the call.
    function relayPrepaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Makes a free call in the name of `actor`, who signed `<service>:<verb>:<taskId><suffix>` (EIP-191).
    ///
    /// The suffix ":call", on a route of rule Round or Content, stands for the call-bound tail, which is rebuilt from the
    /// data: `:call:<chainId>:<forwarder>:<keccak256 of the data>`, in lower-case 0x hex, after the round where the rule is
    /// Round and the round is not 0. A wallet that is `boundOnly` takes this form alone.
    ///
    /// Example: `submitWork` for a message that ends with `:call:8453:0x3063...86b6:0xd4fd...06f1`, and suffix ":call".
    /// @return result The return data of the call.
    function relaySigned(
        bytes32 intentId,
        address actor,
        bytes calldata signature,
        string calldata suffix,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Makes a permissionless call: no actor is claimed.
    /// @return result The return data of the call.
    function relayOpen(bytes32 intentId, address target, bytes calldata data) external returns (bytes memory result);

    // --- Administration (owner) ---

    /// @notice Allows or dismisses a relayer, never the guardian. A dismissal makes void what it announced.
    function setRelayer(address relayer, bool allowed) external;

    /// @notice Opens, changes or closes a route. The target is a contract other than USDC.
    function setRoute(Route calldata route) external;

    /// @notice Takes the action fees of all relayers' calls.
    function sweepFees(address to) external;

    // --- Views ---

    /// @notice Returns the token of payments.
    function usdc() external view returns (address);

    /// @notice Returns the first word of signed messages.
    function serviceName() external view returns (string memory);

    /// @notice Returns whether the account may relay.
    function relayers(address relayer) external view returns (bool);

    /// @notice Returns whether the intent acted.
    function relayed(bytes32 intentId) external view returns (bool);

    /// @notice Returns the action fees that the owner can take, USDC base units.
    function fees() external view returns (uint256);

    /// @notice Returns the nonce of a payment that is bound to a call:
    /// keccak256(abi.encode(typeHash, chainId, forwarder, target, keccak256(data), escrowAmount, salt)), with the type
    /// `BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)`.
    function boundNonceOf(address target, bytes calldata data, uint256 escrowAmount, bytes32 salt)
        external
        view
        returns (bytes32);

    /// @notice Returns a route; zeros when there is none.
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 relayModes, SuffixRule suffixRule, string memory verb);
}
