// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {PackedRoute, PackedRoutes} from "./forwarder/PackedRoute.sol";
import {SignedMessage} from "./forwarder/SignedMessage.sol";
import {UsdcAuthorization} from "./forwarder/UsdcAuthorization.sol";
import {IPaymentForwarder, IPGTRForwarder} from "./interfaces/IPaymentForwarder.sol";
import {IUsdc} from "./interfaces/IUsdc.sol";

/// @title Payment and action in one transaction
/// @notice Its balance is income (`fees`), and prepaid money that waits for its action or its refund. A target may
/// pull only what the call in progress pays in: it is approved for exactly that, and the balance is checked after.
contract PaymentForwarder is IPaymentForwarder, Ownable2Step {
    /// @dev Set in `_frame` from the first check of a call to its end.
    uint256 private constant ENTERED = 1 << 160;

    IUsdc private immutable USDC;
    ShortString private immutable SERVICE_NAME;

    /// @dev The most a payment leaves as income, base units: a thousand times what actions cost.
    uint256 private constant MAX_FEE = 1e6;

    /// @inheritdoc IPaymentForwarder
    uint256 public fees;

    /// @inheritdoc IPaymentForwarder
    mapping(address relayer => bool) public relayers;

    /// @inheritdoc IPaymentForwarder
    mapping(address payer => mapping(bytes32 nonce => bool)) public spent;

    /// @dev One bit an intent, 256 intents that differ in their last byte only to a word: a relayer may number its
    /// intents, and then pays for a new word once in 256 times. Random ids cost what a word each costs.
    mapping(bytes32 intentIdWithoutLastByte => uint256 bits) private _relayed;

    /// @dev By target (the left 20 bytes of the key) and selector (the right 4).
    mapping(bytes32 targetAndSelector => PackedRoute) private _routes;

    /// @dev Zero outside a call; inside one the lock and, once the target is called, the actor below it.
    uint256 private transient _frame;

    /// @param owner Who sets relayers and routes and takes the fees.
    /// @param usdcToken The only money it moves.
    /// @param service First word of signed messages, at most 31 bytes.
    constructor(address owner, address usdcToken, string memory service) Ownable(owner) {
        if (usdcToken == address(0)) revert ZeroAddress();
        USDC = IUsdc(usdcToken);
        SERVICE_NAME = ShortStrings.toShortString(service);
    }

    modifier locked() {
        if (_frame != 0) revert Reentered();
        _frame = ENTERED;
        _;
        _frame = 0;
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
        bytes4 selector = _selectorOf(data);
        _begin(intentId, Leg.Paid, target, selector);
        _book(authorization, escrowAmount);
        UsdcAuthorization.settle(USDC, authorization, signature);
        result = _act(authorization.from, escrowAmount, target, data);
        _log(intentId, authorization.from, target, selector, authorization.value, authorization.nonce);
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
        bytes4 selector = _selectorOf(data);
        _begin(intentId, Leg.Prepaid, target, selector);
        _checkPrepaid(authorization, signature);
        _book(authorization, escrowAmount);
        result = _act(authorization.from, escrowAmount, target, data);
        _log(intentId, authorization.from, target, selector, authorization.value, authorization.nonce);
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
        bytes4 selector = _selectorOf(data);
        PackedRoute route = _begin(intentId, Leg.Signed, target, selector);
        _checkSignature(actor, signature, suffix, target, data, route);
        result = _act(actor, 0, target, data);
        _log(intentId, actor, target, selector, 0, 0);
    }

    /// @inheritdoc IPaymentForwarder
    function relayOpen(bytes32 intentId, address target, bytes calldata data)
        external
        onlyRelayer
        locked
        returns (bytes memory result)
    {
        bytes4 selector = _selectorOf(data);
        _begin(intentId, Leg.Open, target, selector);
        result = _act(address(0), 0, target, data);
        _log(intentId, address(0), target, selector, 0, 0);
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
        _routes[_routeKey(route.target, route.selector)] = PackedRoutes.pack(route);
        emit RouteSet(route.target, route.selector, route.legs, route.suffixRule, route.verb);
    }

    /// @inheritdoc IPaymentForwarder
    function sweepFees(address to) external onlyOwner locked {
        // Check:
        // Here no account would own them.
        if (to == address(0) || to == address(this)) revert ZeroAddress();
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
    // forge-lint: disable-next-line(mixed-case-function)
    function isPGTRForwarder() external pure returns (bool) {
        return true;
    }

    /// @inheritdoc IPGTRForwarder
    function pgtrSender() external view returns (address) {
        // The lock is above the address.
        // forge-lint: disable-next-line(unsafe-typecast)
        return address(uint160(_frame));
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
    function relayed(bytes32 intentId) external view returns (bool) {
        (bytes32 word, uint256 bit) = _placeOf(intentId);
        return _relayed[word] & bit != 0;
    }

    /// @inheritdoc IPaymentForwarder
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 legs, SuffixRule suffixRule, string memory verb)
    {
        PackedRoute route = _routes[_routeKey(target, selector)];
        return (route.legs(), route.suffixRule(), route.verb());
    }

    // --- Steps of a leg ---

    /// @dev Uses the intent up, and refuses what the leg may not call.
    function _begin(bytes32 intentId, Leg leg, address target, bytes4 selector) private returns (PackedRoute route) {
        (bytes32 word, uint256 bit) = _placeOf(intentId);
        uint256 bits = _relayed[word];
        if (bits & bit != 0) revert IntentAlreadyRelayed(intentId);
        _relayed[word] = bits | bit;
        route = _routes[_routeKey(target, selector)];
        if (!route.allows(leg)) revert RouteNotAllowed(target, selector, leg);
    }

    /// @dev Uses the authorization up, and books as income what is not escrow.
    function _book(Authorization calldata authorization, uint256 escrowAmount) private {
        if (escrowAmount > authorization.value) revert EscrowExceedsPayment(escrowAmount, authorization.value);
        uint256 fee = authorization.value - escrowAmount;
        // A payment meant as escrow never becomes income.
        if (fee > MAX_FEE) revert FeeAboveMaximum(fee, MAX_FEE);
        spent[authorization.from][authorization.nonce] = true;
        if (fee > 0) fees += fee;
    }

    /// @dev Makes the call in the actor's name and requires that exactly `escrowAmount` left with it.
    ///
    /// Without escrow there is nothing to compare. Money leaves this contract by an allowance, by a transfer of its own
    /// (sweep and refund, which the lock keeps out) or by a signature, which a contract without ERC-1271 cannot give.
    /// The only allowance it ever grants is the escrow's, here: the target cannot take more than it, and the comparison
    /// lets nothing pass that took less or gave back, so none outlives its call. What a target could do is send USDC
    /// here. Any account can, at any time: it is neither income nor the escrow of an account, and no leg pays it out
    /// without the signature of a payer whose nonce USDC has used.
    function _act(address actor, uint256 escrowAmount, address target, bytes calldata data)
        private
        returns (bytes memory)
    {
        if (escrowAmount == 0) return _call(actor, target, data);
        uint256 balanceBefore = USDC.balanceOf(address(this));
        USDC.approve(target, escrowAmount);
        bytes memory result = _call(actor, target, data);
        uint256 balanceAfter = USDC.balanceOf(address(this));
        if (balanceAfter + escrowAmount != balanceBefore) {
            // USDC keeps no balance of 2^255 or more.
            // forge-lint: disable-next-line(unsafe-typecast)
            revert EscrowMismatch(escrowAmount, int256(balanceBefore) - int256(balanceAfter));
        }
        return result;
    }

    /// @dev The target's own revert data is what the caller sees. The frame is cleared at the end of the leg: between
    /// here and there no contract but USDC is called.
    function _call(address actor, address target, bytes calldata data) private returns (bytes memory result) {
        bool success;
        _frame = ENTERED | uint160(actor);
        // Which function this is only the route knows.
        // solhint-disable-next-line avoid-low-level-calls
        (success, result) = target.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }

    function _log(
        bytes32 intentId,
        address actor,
        address target,
        bytes4 selector,
        uint256 amount,
        bytes32 paymentNonce
    ) private {
        emit PaymentGatedCall(actor, target, selector, amount);
        emit IntentRelayed(intentId, actor, selector, amount, paymentNonce);
    }

    /// @dev That the payer authorized this transfer, that it is settled or cancelled, not yet acted upon, and that the
    /// money for it is held here beside our own income. Whether it arrived or was cancelled only its logs tell.
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
        bytes calldata data,
        PackedRoute route
    ) private view {
        if (data.length < 36) revert NoTaskId();
        bytes32 taskId = bytes32(data[4:36]);
        SignedMessage.checkSuffix(route.suffixRule(), suffix, target, taskId);
        bytes32 digest = SignedMessage.hash(SERVICE_NAME, route, taskId, suffix);
        if (!SignedMessage.isSignedBy(actor, digest, signature)) revert InvalidActorSignature(actor);
    }

    /// @dev Zeros where the data is shorter.
    function _selectorOf(bytes calldata data) private pure returns (bytes4) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes4(data);
    }

    function _placeOf(bytes32 intentId) private pure returns (bytes32 word, uint256 bit) {
        // forge-lint: disable-next-line(incorrect-shift)
        return (intentId >> 8, 1 << uint8(uint256(intentId)));
    }

    function _routeKey(address target, bytes4 selector) private pure returns (bytes32) {
        return bytes32(bytes20(target)) | (bytes32(selector) >> 224);
    }
}
