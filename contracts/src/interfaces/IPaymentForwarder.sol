// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice ERC-8194, payment-gated transaction relay: what a target reads from its forwarder.
interface IPGTRForwarder {
    /// @notice A relayed call succeeded. `payer` is the actor, `paymentAmount` the USDC that came with it.
    event PaymentGatedCall(
        address indexed payer, address indexed target, bytes4 indexed selector, uint256 paymentAmount
    );

    /// @notice Always true: lets a target recognise a forwarder.
    // forge-lint: disable-next-line(mixed-case-function)
    function isPGTRForwarder() external view returns (bool);

    /// @notice The actor of the call in progress; zero outside one and for permissionless calls.
    function pgtrSender() external view returns (address);
}

/// @title Payment and action in one transaction
/// @notice Four legs, each with its own allow-list of (target, selector). Only relayers call them, and each intent id
/// acts once. A relayer key alone cannot act in the name of an account. It can take prepaid money: USDC marks used and
/// cancelled authorizations alike, so a relayer that cancelled one of its own counts as a payer whose money is here. Any
/// account can make a payment prepaid by submitting it alone. The bound is the balance above `fees`.
interface IPaymentForwarder is IPGTRForwarder {
    /// @notice The relay legs; also the bit position in a route's leg mask.
    enum Leg {
        Paid,
        Prepaid,
        Signed,
        Open
    }

    /// @notice What the tail of a signed message must be.
    /// @dev None: empty. Round: empty in round 0 of the task, else ":<round>". Content: empty, or ":" and anything.
    enum SuffixRule {
        None,
        Round,
        Content
    }

    /// @notice An ERC-3009 transfer authorization towards this contract.
    /// @param validAfter Unix seconds; valid strictly after it.
    /// @param validBefore Unix seconds; valid strictly before it.
    struct Authorization {
        address from;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    /// @notice What may be called. `legs` is a mask of `1 << Leg`; `verb` is the word of the signed message
    /// `<service>:<verb>:<taskId><suffix>` when the Signed leg is among them, at most 30 bytes.
    struct Route {
        address target;
        bytes4 selector;
        uint8 legs;
        SuffixRule suffixRule;
        string verb;
    }

    /// @notice An intent acted. `amount` is the USDC paid with it, `paymentNonce` its authorization (zero when free).
    event IntentRelayed(
        bytes32 indexed intentId, address indexed actor, bytes4 indexed selector, uint256 amount, bytes32 paymentNonce
    );

    /// @notice Money of an authorization that funded nothing went back to its payer.
    event PrepaidRefunded(address indexed payer, bytes32 indexed nonce, uint256 amount);

    event RelayerSet(address indexed relayer, bool allowed);
    event RouteSet(address indexed target, bytes4 indexed selector, uint8 legs, SuffixRule suffixRule, string verb);
    event FeesSwept(address indexed to, uint256 amount);

    error NotRelayer(address caller);
    error IntentAlreadyRelayed(bytes32 intentId);
    error RouteNotAllowed(address target, bytes4 selector, Leg leg);
    error EscrowMismatch(uint256 sent, int256 taken);
    error AuthorizationSpent(address payer, bytes32 nonce);
    error AuthorizationNotUsed(address payer, bytes32 nonce);
    error InvalidAuthorizationSignature(address payer);
    error InvalidActorSignature(address actor);
    error InvalidSuffix(string suffix);
    error PrepaidNotCovered(uint256 available, uint256 value);
    error UsdcIsNeverATarget();
    error TargetHasNoCode(address target);
    error FeeAboveMaximum(uint256 fee, uint256 maximum);
    error EscrowExceedsPayment(uint256 escrowAmount, uint256 value);
    error NoTaskId();
    error VerbTooLong(string verb);
    error NothingToSweep();
    error ZeroAddress();
    error Reentered();

    /// @notice Settles the authorization and makes the call with its payer as actor; exactly `escrowAmount` must be
    /// pulled by the target, the rest of the payment is the action fee, at most 1 USDC. A revert undoes the payment.
    function relayPaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice The same for an authorization that another account already submitted: its money is held here.
    function relayPrepaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice Gives the money of such an authorization back to its payer.
    /// @dev A cancelled authorization passes every check here like one whose money arrived: relayers prove the arrival by
    /// the logs of USDC before they call this.
    function refundPrepaid(Authorization calldata authorization, bytes calldata signature) external;

    /// @notice A free call in the name of `actor`, who signed `<service>:<verb>:<taskId><suffix>` (EIP-191).
    function relaySigned(
        bytes32 intentId,
        address actor,
        bytes calldata signature,
        string calldata suffix,
        address target,
        bytes calldata data
    ) external returns (bytes memory result);

    /// @notice A permissionless call: no actor is claimed.
    function relayOpen(bytes32 intentId, address target, bytes calldata data) external returns (bytes memory result);

    // --- Administration (owner) ---

    function setRelayer(address relayer, bool allowed) external;
    function setRoute(Route calldata route) external;
    function sweepFees(address to) external;

    // --- Views ---

    function usdc() external view returns (address);
    function serviceName() external view returns (string memory);
    function relayers(address relayer) external view returns (bool);
    function relayed(bytes32 intentId) external view returns (bool);
    function spent(address payer, bytes32 nonce) external view returns (bool);
    function fees() external view returns (uint256);
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 legs, SuffixRule suffixRule, string memory verb);
}
