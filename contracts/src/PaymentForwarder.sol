// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {SignedMessage} from "./forwarder/SignedMessage.sol";
import {UsdcAuthorization} from "./forwarder/UsdcAuthorization.sol";
import {IPaymentForwarder, IPGTRForwarder} from "./interfaces/IPaymentForwarder.sol";
import {IUsdc} from "./interfaces/IUsdc.sol";

/// @title Payment and action in one transaction
/// @notice What lies here is income (`fees`), and prepaid money that waits for its action or its refund. A target may
/// pull only what the call in progress pays in: it is approved for exactly that, and the balance is checked after.
contract PaymentForwarder is IPaymentForwarder, Ownable2Step {
    struct StoredRoute {
        uint8 legs;
        SuffixRule suffixRule;
        string verb;
    }

    IUsdc private immutable USDC;
    ShortString private immutable SERVICE_NAME;

    /// @inheritdoc IPaymentForwarder
    uint256 public fees;

    /// @inheritdoc IPaymentForwarder
    mapping(address relayer => bool) public relayers;

    /// @inheritdoc IPaymentForwarder
    mapping(bytes32 intentId => bool) public relayed;

    /// @inheritdoc IPaymentForwarder
    mapping(address payer => mapping(bytes32 nonce => bool)) public spent;

    mapping(address target => mapping(bytes4 selector => StoredRoute)) private _routes;

    /// @inheritdoc IPGTRForwarder
    address public transient pgtrSender;

    bool private transient _entered;

    /// @param owner Who sets relayers and routes and takes the fees.
    /// @param usdcToken The only money it moves.
    /// @param service First word of signed messages, at most 31 bytes.
    constructor(address owner, address usdcToken, string memory service) Ownable(owner) {
        if (usdcToken == address(0)) revert ZeroAddress();
        USDC = IUsdc(usdcToken);
        SERVICE_NAME = ShortStrings.toShortString(service);
    }

    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    modifier onlyRelayer() {
        if (!relayers[msg.sender]) revert NotRelayer(msg.sender);
        _;
    }

    // --- Legs ---

    /// @inheritdoc IPaymentForwarder
    function relayPaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external onlyRelayer locked returns (bytes memory result) {
        _begin(intentId, Leg.Paid, target, data);
        _book(authorization, escrowAmount);
        UsdcAuthorization.settle(USDC, authorization, signature);
        result = _act(authorization.from, escrowAmount, target, data);
        _log(intentId, authorization.from, target, data, authorization.value, authorization.nonce);
    }

    /// @inheritdoc IPaymentForwarder
    function relayPrepaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external onlyRelayer locked returns (bytes memory result) {
        _begin(intentId, Leg.Prepaid, target, data);
        _checkPrepaid(authorization, signature);
        _book(authorization, escrowAmount);
        result = _act(authorization.from, escrowAmount, target, data);
        _log(intentId, authorization.from, target, data, authorization.value, authorization.nonce);
    }

    /// @inheritdoc IPaymentForwarder
    function refundPrepaid(Authorization calldata authorization, bytes calldata signature) external onlyRelayer locked {
        // Check:
        _checkPrepaid(authorization, signature);

        // Effect:
        spent[authorization.from][authorization.nonce] = true;

        // Interaction:
        SafeERC20.safeTransfer(USDC, authorization.from, authorization.value);

        // Log:
        emit PrepaidRefunded(authorization.from, authorization.nonce, authorization.value);
    }

    /// @inheritdoc IPaymentForwarder
    function relaySigned(
        bytes32 intentId,
        address actor,
        bytes calldata signature,
        string calldata suffix,
        address target,
        bytes calldata data
    ) external onlyRelayer locked returns (bytes memory result) {
        _begin(intentId, Leg.Signed, target, data);
        _checkSignature(actor, signature, suffix, target, data);
        result = _act(actor, 0, target, data);
        _log(intentId, actor, target, data, 0, 0);
    }

    /// @inheritdoc IPaymentForwarder
    function relayOpen(bytes32 intentId, address target, bytes calldata data)
        external
        onlyRelayer
        locked
        returns (bytes memory result)
    {
        _begin(intentId, Leg.Open, target, data);
        result = _act(address(0), 0, target, data);
        _log(intentId, address(0), target, data, 0, 0);
    }

    // --- Administration ---

    /// @inheritdoc IPaymentForwarder
    function setRelayer(address relayer, bool allowed) external onlyOwner {
        relayers[relayer] = allowed;
        emit RelayerSet(relayer, allowed);
    }

    /// @inheritdoc IPaymentForwarder
    function setRoute(Route calldata route) external onlyOwner {
        if (route.target == address(USDC)) revert UsdcIsNeverATarget();
        // A call to no code succeeds and does nothing: it would be charged for nothing.
        if (route.target.code.length == 0) revert TargetHasNoCode(route.target);
        _routes[route.target][route.selector] = StoredRoute(route.legs, route.suffixRule, route.verb);
        emit RouteSet(route.target, route.selector, route.legs, route.suffixRule, route.verb);
    }

    /// @inheritdoc IPaymentForwarder
    function sweepFees(address to) external onlyOwner locked {
        // Check:
        if (to == address(0)) revert ZeroAddress();
        uint256 amount = fees;
        if (amount == 0) revert NothingToSweep();

        // Effect:
        fees = 0;

        // Interaction:
        SafeERC20.safeTransfer(USDC, to, amount);

        // Log:
        emit FeesSwept(to, amount);
    }

    // --- Views ---

    /// @inheritdoc IPGTRForwarder
    function isPGTRForwarder() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IPaymentForwarder
    function usdc() external view returns (address) {
        return address(USDC);
    }

    /// @inheritdoc IPaymentForwarder
    function serviceName() external view returns (string memory) {
        return ShortStrings.toString(SERVICE_NAME);
    }

    /// @inheritdoc IPaymentForwarder
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 legs, SuffixRule suffixRule, string memory verb)
    {
        StoredRoute storage route = _routes[target][selector];
        return (route.legs, route.suffixRule, route.verb);
    }

    // --- Steps of a leg ---

    /// @dev Uses the intent up, and refuses what the leg may not call.
    function _begin(bytes32 intentId, Leg leg, address target, bytes calldata data) private {
        if (relayed[intentId]) revert IntentAlreadyRelayed(intentId);
        relayed[intentId] = true;
        uint8 legs = _routes[target][bytes4(data)].legs;
        if (legs & (1 << uint8(leg)) == 0) revert RouteNotAllowed(target, bytes4(data), leg);
    }

    /// @dev Uses the authorization up, and books as income what is not escrow.
    function _book(Authorization calldata authorization, uint256 escrowAmount) private {
        if (escrowAmount > authorization.value) revert EscrowExceedsPayment(escrowAmount, authorization.value);
        spent[authorization.from][authorization.nonce] = true;
        if (escrowAmount < authorization.value) fees += authorization.value - escrowAmount;
    }

    /// @dev Makes the call in the actor's name and requires that exactly `escrowAmount` left with it.
    function _act(address actor, uint256 escrowAmount, address target, bytes calldata data)
        private
        returns (bytes memory result)
    {
        uint256 balanceBefore = USDC.balanceOf(address(this));
        if (escrowAmount > 0) USDC.approve(target, escrowAmount);
        pgtrSender = actor;
        bool success;
        (success, result) = target.call(data);
        pgtrSender = address(0);
        if (!success) _bubble(result);
        int256 taken = int256(balanceBefore) - int256(USDC.balanceOf(address(this)));
        if (taken != int256(escrowAmount)) revert EscrowMismatch(escrowAmount, taken);
    }

    function _log(
        bytes32 intentId,
        address actor,
        address target,
        bytes calldata data,
        uint256 amount,
        bytes32 paymentNonce
    ) private {
        emit PaymentGatedCall(actor, target, bytes4(data), amount);
        emit IntentRelayed(intentId, actor, bytes4(data), amount, paymentNonce);
    }

    /// @dev That the payer authorized this transfer, that it is settled or cancelled, not yet acted upon, and that the
    /// money for it lies here beside our own income. Whether it arrived or was cancelled only its logs tell.
    function _checkPrepaid(Authorization calldata authorization, bytes calldata signature) private view {
        (address payer, bytes32 nonce) = (authorization.from, authorization.nonce);
        if (spent[payer][nonce]) revert AuthorizationSpent(payer, nonce);
        UsdcAuthorization.checkUsed(USDC, authorization, signature);
        uint256 available = USDC.balanceOf(address(this)) - fees;
        if (available < authorization.value) revert PrepaidNotCovered(available, authorization.value);
    }

    /// @dev The task id of a signed message is the first argument of the call it allows.
    function _checkSignature(
        address actor,
        bytes calldata signature,
        string calldata suffix,
        address target,
        bytes calldata data
    ) private view {
        if (data.length < 36) revert NoTaskId();
        bytes32 taskId = bytes32(data[4:36]);
        StoredRoute storage route = _routes[target][bytes4(data)];
        SignedMessage.checkSuffix(route.suffixRule, suffix, target, taskId);
        bytes32 digest = SignedMessage.hash(ShortStrings.toString(SERVICE_NAME), route.verb, taskId, suffix);
        if (!SignatureChecker.isValidSignatureNowCalldata(actor, digest, signature)) {
            revert InvalidActorSignature(actor);
        }
    }

    /// @dev The caller sees the target's own revert data.
    function _bubble(bytes memory reason) private pure {
        assembly ("memory-safe") {
            revert(add(reason, 0x20), mload(reason))
        }
    }
}
