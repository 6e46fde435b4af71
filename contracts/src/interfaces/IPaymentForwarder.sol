// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Authorization, RelayMode, Route, SuffixRule} from "../types/RelayTypes.sol";
import {IBoundOnly} from "./IBoundOnly.sol";
import {IPrepaidMoney} from "./IPrepaidMoney.sol";

/// @title Part of ERC-8194 (payment-gated transaction relay) that a target reads from its forwarder
/// @notice A target is a contract that the forwarder calls. If a trusted forwarder makes the call, the actor is the
/// account that `pgtrSender()` returns. Otherwise the actor is the caller.
interface IPGTRForwarder {
    /// @notice A relayed call succeeded. `payer` is the actor; zero for a permissionless call. `paymentAmount` is the
    /// payment in USDC base units; zero for a free call.
    event PaymentGatedCall(
        address indexed payer, address indexed target, bytes4 indexed selector, uint256 paymentAmount
    );

    /// @notice Returns true, so that a target can recognise a forwarder.
    ///
    /// Example: true for every `PaymentForwarder`.
    // forge-lint: disable-next-line(mixed-case-function)
    function isPGTRForwarder() external view returns (bool);

    /// @notice Returns the actor of the relayed call in progress. Zero if no call is in progress, or if the call is
    /// permissionless.
    ///
    /// Example: while `relayPaid` calls its target, the payer.
    function pgtrSender() external view returns (address);
}

/// @title Payment forwarder: payment and action in one transaction
/// @notice Lets accounts without ether use the market: a relayer submits their signed payments and messages and pays
/// the gas. Each of the five relay modes has one function, which only relayers may call. The functions make only calls
/// that a route allows, and use each intent id once. A thief of all relayer keys can at most do the following:
/// - With a signature that names one call (a bound payment or a call-bound message): make this call.
/// - With a signature that does not name one call (a plain payment or a plain message): make any call that the routes
/// allow, in the name of the payer or signer. This is possible only after a relayer has received the signature.
/// - With prepaid money: move at most `prepaidPerDay` in one UTC day. A larger refund must be announced 24 hours before
/// it is paid.
/// - For a wallet that is `boundOnly`: make only calls that the wallet signed as a whole.
interface IPaymentForwarder is IPGTRForwarder, IBoundOnly, IPrepaidMoney {
    /// @notice The call of an intent succeeded.
    /// @param amount Payment for the call, in USDC base units; zero if the call was free.
    /// @param paymentNonce Nonce of the payment's authorization; zero if the call was free.
    /// @param escrowAmount The part of `amount` that the target took, in USDC base units; the rest is the action fee.
    event IntentRelayed(
        bytes32 indexed intentId,
        address indexed actor,
        bytes4 indexed selector,
        uint256 amount,
        bytes32 paymentNonce,
        uint256 escrowAmount
    );

    /// @notice The owner allowed a relayer (`allowed` is true) or dismissed a relayer.
    event RelayerSet(address indexed relayer, bool allowed);

    /// @notice The owner set how the forwarder may call a function (a route). The forwarder may not call it if
    /// `relayModes` is zero.
    event RouteSet(
        address indexed target, bytes4 indexed selector, uint8 relayModes, SuffixRule suffixRule, string verb
    );

    /// @notice The owner withdrew the collected action fees; `amount` is in USDC base units.
    event FeesSwept(address indexed to, uint256 amount);

    /// @notice Only a relayer may make this call.
    error NotRelayer(address caller);

    /// @notice The forwarder has already made the call of this intent. Each intent id can be used once.
    error IntentAlreadyRelayed(bytes32 intentId);

    /// @notice No route allows this function of the target in this relay mode.
    error RouteNotAllowed(address target, bytes4 selector, RelayMode relayMode);

    /// @notice The payment is not bound to this call. Its authorization has the nonce `given`, but the call requires
    /// `expected`.
    error PaymentNotBound(bytes32 expected, bytes32 given);

    /// @notice The target did not take exactly the escrow `sent`. `taken` is the amount that the target took; negative
    /// if the target paid USDC to the forwarder. Both amounts are USDC base units.
    error EscrowMismatch(uint256 sent, int256 taken);

    /// @notice The escrow amount is above the value of the payment. Both are USDC base units.
    error EscrowExceedsPayment(uint256 escrowAmount, uint256 value);

    /// @notice The action fee, which is the payment less the escrow, is above `maximum`. Both are USDC base units.
    error FeeAboveMaximum(uint256 fee, uint256 maximum);

    /// @notice The actor did not sign the message that allows this call.
    error InvalidActorSignature(address actor);

    /// @notice The route's suffix rule does not allow `suffix`. The relayer passes `suffix`, and the forwarder derives
    /// the last part of the signed message from `suffix`.
    error InvalidSuffix(string suffix);

    /// @notice The call data is too short to contain a first argument. The signed message needs this argument, because
    /// it is the task id.
    error NoTaskId();

    /// @notice USDC cannot be a target, because a call to USDC could spend money that the forwarder holds.
    error UsdcIsNeverATarget();

    /// @notice A target must be a contract.
    error TargetHasNoCode(address target);

    /// @notice A route's verb must have at most 30 bytes.
    error VerbTooLong(string verb);

    /// @notice There are no action fees to withdraw.
    error NothingToSweep();

    /// @notice The address must be neither zero nor the forwarder itself.
    error ZeroAddress();

    /// @notice A contract called the forwarder while a relayed call was in progress.
    error Reentered();

    /// @notice Takes a payment by its authorization, then makes a call with the payer as the actor. The target must
    /// take exactly `escrowAmount`, in USDC base units. The rest of the payment is the action fee, at most 1 USDC. A
    /// failed call undoes the payment.
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

    /// @notice Takes a payment that is bound to one call, then makes this call with the payer as the actor. The payer
    /// signs `ReceiveWithAuthorization` with the nonce `boundNonceOf(target, data, escrowAmount, salt)`. `relayPaid`
    /// describes the rules for escrow and fee.
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

    /// @notice Makes a call with a payer as the actor, paid with prepaid money: another account has already submitted
    /// the payer's authorization to USDC. The payment must be at most `prepaidLeft(payer)`. `relayPaid` describes the
    /// rules for escrow and fee.
    ///
    /// Example: an observer submits a payer's authorization of 5 USDC before the relayer does. The relayer then creates
    /// the payer's task with the 5 USDC that arrived.
    /// @return result The return data of the call.
    function relayPrepaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Makes a call without payment in the name of `actor`. The actor must have signed
    /// `<service>:<verb>:<taskId><suffix>` (EIP-191).
    ///
    /// The suffix ":call" stands for the call-bound tail `:call:<chainId>:<forwarder>:<keccak256 of the data>`, in
    /// lower-case 0x hex. With the suffix rule Round, `:<round>` precedes the tail if the round is above 0. A wallet
    /// that is `boundOnly` accepts only messages with the call-bound tail.
    ///
    /// Example: a call of `submitWork` with suffix ":call" needs a signed message that ends with
    /// `:call:8453:0x3063...86b6:0xd4fd...06f1`.
    /// @return result The return data of the call.
    function relaySigned(
        bytes32 intentId,
        address actor,
        bytes calldata signature,
        string calldata suffix,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Makes a permissionless call, which has neither an actor nor a payment.
    ///
    /// Example: `finalizeVerdict(taskId)` after the appeal deadline.
    /// @return result The return data of the call.
    function relayOpen(bytes32 intentId, address target, bytes calldata data) external returns (bytes memory result);

    // --- Administration (owner) ---

    /// @notice Allows or dismisses a relayer. A dismissal voids the relayer's announced refunds. The guardian cannot
    /// become a relayer. Only the owner may call.
    ///
    /// Example: `setRelayer(relayer, false)` after the relayer's key was stolen.
    function setRelayer(address relayer, bool allowed) external;

    /// @notice Opens, changes or closes a route. The target must be a contract, and must not be USDC. Only the owner
    /// may call.
    ///
    /// Example: target the market, selector of `claimTask`, relayModes 4 (Signed), suffixRule Round and verb "claim".
    function setRoute(Route calldata route) external;

    /// @notice Sends all collected action fees to `to`. Only the owner may call.
    ///
    /// Example: if `fees()` is 42000, the call sends 42000 base units of USDC, such as the fees of 42 writes with a fee
    /// of 1000 each.
    function sweepFees(address to) external;

    // --- Views ---

    /// @notice Returns the address of USDC, the token of all payments.
    ///
    /// Example: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on Base.
    function usdc() external view returns (address);

    /// @notice Returns the service name, which is the first word of every signed message.
    ///
    /// Example: "service".
    function serviceName() external view returns (string memory);

    /// @notice Returns whether the account is a relayer.
    ///
    /// Example: true after `setRelayer(account, true)`.
    function relayers(address relayer) external view returns (bool);

    /// @notice Returns whether the forwarder has made the call of this intent.
    ///
    /// Example: false before the intent's transaction, and after a transaction that reverted.
    function relayed(bytes32 intentId) external view returns (bool);

    /// @notice Returns the collected action fees that the owner can withdraw, in USDC base units.
    ///
    /// Example: 1000 after one paid write with an action fee of 1000.
    function fees() external view returns (uint256);

    /// @notice Returns the nonce that binds a payment to a call: keccak256(abi.encode(typeHash, chainId, forwarder,
    /// target, keccak256(data), escrowAmount, salt)). `typeHash` is the keccak256 of `BoundCall(uint256 chainId,address
    /// forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)`.
    ///
    /// Example: `typeHash` is 0x0448d97b9973b7881c42e082a2aaba05e9d5b42a71186793bdca950de2194350.
    function boundNonceOf(address target, bytes calldata data, uint256 escrowAmount, bytes32 salt)
        external
        view
        returns (bytes32);

    /// @notice Returns the relay modes, the suffix rule and the verb of a route. In the number of the relay modes, the
    /// bit `1 << RelayMode` is set for each allowed mode. If the route is unknown, both numbers are zero and the verb
    /// is empty.
    ///
    /// Example: `(4, 1, "claim")`. 4 is `1 << 2`: only the mode Signed (number 2) is allowed. 1 is the rule Round.
    /// "claim" is the verb.
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 relayModes, SuffixRule suffixRule, string memory verb);
}
