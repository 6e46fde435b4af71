// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Authorization, RelayMode, Route, SuffixRule} from "../types/RelayTypes.sol";
import {IBoundOnly} from "./IBoundOnly.sol";
import {IPrepaidMoney} from "./IPrepaidMoney.sol";

/// @title Part of ERC-8194 (payment-gated transaction relay) that a target reads from its forwarder
/// @notice A target that trusts this forwarder acts in the name of `pgtrSender()` instead of its caller.
interface IPGTRForwarder {
    /// @notice A relayed call succeeded. `payer` is the actor, `paymentAmount` the USDC that came with it.
    event PaymentGatedCall(
        address indexed payer, address indexed target, bytes4 indexed selector, uint256 paymentAmount
    );

    /// @notice Returns true, so that a target can recognise a forwarder.
    ///
    /// Example: true for every `PaymentForwarder`.
    // forge-lint: disable-next-line(mixed-case-function)
    function isPGTRForwarder() external view returns (bool);

    /// @notice Returns the actor of the call in progress; zero outside one and for permissionless calls.
    ///
    /// Example: the payer of a `relayPaid` while its target runs.
    function pgtrSender() external view returns (address);
}

/// @title Payment and action in one transaction
/// @notice Lets accounts without ether use the market: a relayer submits their signed payments and messages, and pays
/// the gas. Five relay modes share one allow-list of (target, selector). Only relayers call them, and each intent id
/// acts once. The most that hostile relayers can do, all keys together:
/// - With a bound payment or a call-bound message: make that call, or none.
/// - With a plain payment or message that they received: make any call of its routes, in the payer's or signer's name.
/// - With prepaid money: move `prepaidPerDay` a UTC day at once; above it announce a refund 24 hours before.
/// - For a wallet that is `boundOnly`: make calls that it signed as a whole.
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

    /// @notice The intent acted already. Each acts once, so that no transaction can repeat a payment's call.
    error IntentAlreadyRelayed(bytes32 intentId);

    /// @notice The function is not open to this relay mode.
    error RouteNotAllowed(address target, bytes4 selector, RelayMode relayMode);

    /// @notice The authorization's nonce does not name this call.
    error PaymentNotBound(bytes32 expected, bytes32 given);

    /// @notice The target took another amount than the escrow. `taken` is negative when the target paid in.
    error EscrowMismatch(uint256 sent, int256 taken);

    /// @notice The escrow is more than the payment.
    error EscrowExceedsPayment(uint256 escrowAmount, uint256 value);

    /// @notice More than `maximum` of the payment would become income.
    error FeeAboveMaximum(uint256 fee, uint256 maximum);

    /// @notice The actor did not sign this message.
    error InvalidActorSignature(address actor);

    /// @notice The suffix does not match the route's rule.
    error InvalidSuffix(string suffix);

    /// @notice The data has no first argument, which a signed message names.
    error NoTaskId();

    /// @notice USDC cannot be a target: a call to it could spend money that the forwarder holds.
    error UsdcIsNeverATarget();

    /// @notice A target must be a contract.
    error TargetHasNoCode(address target);

    /// @notice A verb has at most 30 bytes.
    error VerbTooLong(string verb);

    /// @notice No action fees are there to take.
    error NothingToSweep();

    /// @notice The address must not be zero or the forwarder itself.
    error ZeroAddress();

    /// @notice A relayed call called the forwarder back.
    error Reentered();

    /// @notice Settles an authorization and makes a call with its payer as actor. The target must pull exactly
    /// `escrowAmount`; the rest of the payment is the action fee, at most 1 USDC. A revert undoes the payment.
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

    /// @notice Settles a payment that is bound to the call, and makes the call with its payer as actor. The payer
    /// signed `ReceiveWithAuthorization`, which only this contract can submit, with `boundNonceOf(target, data,
    /// escrowAmount, salt)` as nonce. Escrow and fee are as in `relayPaid`.
    ///
    /// Example: the data and escrowAmount of a `createTask`, and a salt that only payer and service can derive.
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

    /// @notice Makes a call with the payer of an authorization as actor, whose money is held here because another
    /// account submitted the authorization alone. It moves at most `prepaidLeft` of the payer. Escrow and fee are as in
    /// `relayPaid`.
    ///
    /// Example: an observer submits a payer's authorization of 5 USDC; the relayer creates the payer's task with it all
    /// the same.
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
    /// The suffix ":call", on a route of rule Round or Content, is replaced by the call-bound tail, which is rebuilt
    /// from the data: `:call:<chainId>:<forwarder>:<keccak256 of the data>`, in lower-case 0x hex, after the round
    /// where the rule is Round and the round is not 0. A wallet that is `boundOnly` accepts this form alone.
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

    /// @notice Makes a permissionless call, for no actor.
    ///
    /// Example: `finalizeVerdict(taskId)` after the appeal deadline.
    /// @return result The return data of the call.
    function relayOpen(bytes32 intentId, address target, bytes calldata data) external returns (bytes memory result);

    // --- Administration (owner) ---

    /// @notice Allows or dismisses a relayer, never the guardian (owner). A dismissal voids the refunds that the
    /// relayer announced.
    ///
    /// Example: `setRelayer(stolenKey, false)`.
    function setRelayer(address relayer, bool allowed) external;

    /// @notice Opens, changes or closes a route (owner). The target is a contract other than USDC.
    ///
    /// Example: target the market, selector of `claimTask`, relayModes 4 (Signed), suffixRule Round and verb "claim".
    function setRoute(Route calldata route) external;

    /// @notice Takes the action fees of all relayers' calls (owner).
    ///
    /// Example: `fees()` of 42000 sends 42000 base units, the fees of 42 writes.
    function sweepFees(address to) external;

    // --- Views ---

    /// @notice Returns the token of payments.
    ///
    /// Example: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on Base.
    function usdc() external view returns (address);

    /// @notice Returns the first word of signed messages.
    ///
    /// Example: "service".
    function serviceName() external view returns (string memory);

    /// @notice Returns whether the account may relay.
    ///
    /// Example: true after `setRelayer(account, true)`.
    function relayers(address relayer) external view returns (bool);

    /// @notice Returns whether the intent acted.
    ///
    /// Example: false before its transaction and after one that reverted.
    function relayed(bytes32 intentId) external view returns (bool);

    /// @notice Returns the action fees that the owner can take, USDC base units.
    ///
    /// Example: 1000 after one paid write.
    function fees() external view returns (uint256);

    /// @notice Returns the nonce of a payment that is bound to a call: keccak256(abi.encode(typeHash, chainId,
    /// forwarder, target, keccak256(data), escrowAmount, salt)), with the type `BoundCall(uint256 chainId,address
    /// forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)`.
    ///
    /// Example: the type's hash is 0x0448d97b9973b7881c42e082a2aaba05e9d5b42a71186793bdca950de2194350.
    function boundNonceOf(address target, bytes calldata data, uint256 escrowAmount, bytes32 salt)
        external
        view
        returns (bytes32);

    /// @notice Returns a route; zeros when there is none.
    ///
    /// Example: `(4, 1, "claim")` for a signed route of rule Round.
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 relayModes, SuffixRule suffixRule, string memory verb);
}
