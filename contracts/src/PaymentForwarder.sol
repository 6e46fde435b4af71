// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BoundCall} from "./forwarder/BoundCall.sol";
import {BoundOnlySwitch} from "./forwarder/BoundOnlySwitch.sol";
import {ForwarderBase} from "./forwarder/ForwarderBase.sol";
import {PackedRoute, PackedRoutes} from "./forwarder/PackedRoute.sol";
import {PrepaidMoney} from "./forwarder/PrepaidMoney.sol";
import {SignedMessage} from "./forwarder/SignedMessage.sol";
import {UsdcAuthorization} from "./forwarder/UsdcAuthorization.sol";
import {IPaymentForwarder, IPGTRForwarder} from "./interfaces/IPaymentForwarder.sol";
import {Authorization, RelayMode, Route, SuffixRule} from "./types/RelayTypes.sol";

/// @title Payment forwarder: payment and action in one transaction
/// @notice Relays signed payments and messages of accounts without ether. `IPaymentForwarder` documents every function.
/// The forwarder's USDC balance consists of collected fees and of prepaid money. During a call with escrow the target
/// may take exactly the escrow.
contract PaymentForwarder is BoundOnlySwitch, PrepaidMoney {
    /// @dev The highest action fee of one payment, in USDC base units: 1 USDC, a thousand times the price of an action.
    uint256 private constant MAX_FEE = 1e6;

    /// @dev One bit for each used intent id. Ids that differ only in the last byte share one storage word. Consecutive
    /// ids are therefore cheaper than random ids.
    mapping(bytes32 intentIdWithoutLastByte => uint256 bits) private _relayed;

    /// @dev The functions that the forwarder may call (routes), by key. The key is the target (the left 20 bytes) and
    /// the selector (the right 4 bytes).
    mapping(bytes32 targetAndSelector => PackedRoute) private _routes;

    /// @param owner Account that sets the relayers, the routes, the guardian and the daily limit, and withdraws the
    /// fees.
    /// @param usdcToken Address of USDC, the token of all payments.
    /// @param service Service name, the first word of every signed message, at most 31 bytes.
    constructor(address owner, address usdcToken, string memory service) ForwarderBase(owner, usdcToken, service) {}

    // --- Relay modes ---

    /// @inheritdoc IPaymentForwarder
    function relayPaid(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) external onlyRelayer locked returns (bytes memory result) {
        _begin(intentId, RelayMode.Paid, target, data);
        _requirePlain(authorization.from);
        _book(authorization, escrowAmount);
        UsdcAuthorization.settle(USDC, authorization, signature);
        result = _actPaid(intentId, authorization, escrowAmount, target, data);
    }

    /// @inheritdoc IPaymentForwarder
    function relayBound(
        bytes32 intentId,
        Authorization calldata authorization,
        bytes calldata signature,
        uint256 escrowAmount,
        bytes32 salt,
        address target,
        bytes calldata data
    ) external onlyRelayer locked returns (bytes memory result) {
        _begin(intentId, RelayMode.Bound, target, data);
        bytes32 expected = BoundCall.nonceOf(target, data, escrowAmount, salt);
        if (authorization.nonce != expected) revert PaymentNotBound(expected, authorization.nonce);
        _book(authorization, escrowAmount);
        UsdcAuthorization.settleBound(USDC, authorization, signature);
        result = _actPaid(intentId, authorization, escrowAmount, target, data);
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
        _begin(intentId, RelayMode.Prepaid, target, data);
        _requirePlain(authorization.from);
        _checkPrepaid(authorization, signature);
        _moveToday(authorization.from, authorization.value);
        _book(authorization, escrowAmount);
        result = _actPaid(intentId, authorization, escrowAmount, target, data);
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
        PackedRoute route = _begin(intentId, RelayMode.Signed, target, data);
        if (!SignedMessage.isCall(suffix)) _requirePlain(actor);
        _checkSignature(actor, signature, suffix, target, data, route);
        result = _act(actor, 0, target, data);
        _log(intentId, actor, target, data, 0, 0, 0);
    }

    /// @inheritdoc IPaymentForwarder
    function relayOpen(bytes32 intentId, address target, bytes calldata data)
        external
        onlyRelayer
        locked
        returns (bytes memory result)
    {
        _begin(intentId, RelayMode.Open, target, data);
        result = _act(address(0), 0, target, data);
        _log(intentId, address(0), target, data, 0, 0, 0);
    }

    // --- Administration ---

    /// @inheritdoc IPaymentForwarder
    function setRoute(Route calldata route) external onlyOwner {
        if (route.target == address(USDC)) revert UsdcIsNeverATarget();
        // A call to an address without code succeeds and does nothing: the payer would be charged for nothing.
        if (route.target.code.length == 0) revert TargetHasNoCode(route.target);
        _routes[_routeKey(route.target, route.selector)] = PackedRoutes.pack(route);
        emit RouteSet(route.target, route.selector, route.relayModes, route.suffixRule, route.verb);
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
    function relayed(bytes32 intentId) external view returns (bool) {
        (bytes32 word, uint256 bit) = _placeOf(intentId);
        return _relayed[word] & bit != 0;
    }

    /// @inheritdoc IPaymentForwarder
    function boundNonceOf(address target, bytes calldata data, uint256 escrowAmount, bytes32 salt)
        external
        view
        returns (bytes32)
    {
        return BoundCall.nonceOf(target, data, escrowAmount, salt);
    }

    /// @inheritdoc IPaymentForwarder
    function routeOf(address target, bytes4 selector)
        external
        view
        returns (uint8 relayModes, SuffixRule suffixRule, string memory verb)
    {
        PackedRoute route = _routes[_routeKey(target, selector)];
        return (route.relayModes(), route.suffixRule(), route.verb());
    }

    // --- Steps of a relay ---

    /// @dev Records that the intent id is used, and returns the route of the call. Reverts with IntentAlreadyRelayed
    /// for a used id, and with RouteNotAllowed if the route forbids the relay mode.
    function _begin(bytes32 intentId, RelayMode relayMode, address target, bytes calldata data)
        private
        returns (PackedRoute route)
    {
        (bytes32 word, uint256 bit) = _placeOf(intentId);
        uint256 bits = _relayed[word];
        if (bits & bit != 0) revert IntentAlreadyRelayed(intentId);
        _relayed[word] = bits | bit;
        bytes4 selector = _selectorOf(data);
        route = _routes[_routeKey(target, selector)];
        if (!route.allows(relayMode)) revert RouteNotAllowed(target, selector, relayMode);
    }

    /// @dev Records that the authorization is spent, and adds the action fee to the relayer's fees. The action fee is
    /// the payment less the escrow. Reverts with EscrowExceedsPayment if the escrow is above the payment. Reverts with
    /// FeeAboveMaximum if the fee is above 1 USDC.
    function _book(Authorization calldata authorization, uint256 escrowAmount) private {
        if (escrowAmount > authorization.value) revert EscrowExceedsPayment(escrowAmount, authorization.value);
        uint256 fee = authorization.value - escrowAmount;
        // A payment meant as escrow never becomes income.
        if (fee > MAX_FEE) revert FeeAboveMaximum(fee, MAX_FEE);
        spent[authorization.from][authorization.nonce] = true;
        if (fee > 0) _bookFee(fee);
    }

    /// @dev Makes the call with the payer as the actor, and emits the events of the relay. The forwarder must already
    /// hold the payment.
    function _actPaid(
        bytes32 intentId,
        Authorization calldata authorization,
        uint256 escrowAmount,
        address target,
        bytes calldata data
    ) private returns (bytes memory result) {
        address payer = authorization.from;
        result = _act(payer, escrowAmount, target, data);
        _log(intentId, payer, target, data, authorization.value, authorization.nonce, escrowAmount);
    }

    /// @dev Makes the call with the given actor. Reverts with EscrowMismatch unless the target takes exactly
    /// `escrowAmount` base units of USDC. No allowance remains after the call.
    function _act(address actor, uint256 escrowAmount, address target, bytes calldata data)
        private
        returns (bytes memory)
    {
        // Without escrow the target has no allowance and can take no USDC, so no balances are compared. This contract's
        // own transfers are locked during the call. This contract cannot sign USDC authorizations, because it has no
        // ERC-1271.
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

    /// @dev Sets the actor that `pgtrSender` returns, and calls the target. If the target reverts, the relay reverts
    /// with the same data. The actor remains set until the end of the relay. This is safe because the relay makes no
    /// further call to the target, only calls to USDC.
    function _call(address actor, address target, bytes calldata data) private returns (bytes memory result) {
        bool success;
        _frame = ENTERED | uint160(actor);
        // The route alone decides which function this is.
        // solhint-disable-next-line avoid-low-level-calls
        (success, result) = target.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }

    /// @dev Emits the two events of a relayed call, PaymentGatedCall and IntentRelayed. This is a separate function
    /// because of the compiler's stack limit.
    function _log(
        bytes32 intentId,
        address actor,
        address target,
        bytes calldata data,
        uint256 amount,
        bytes32 paymentNonce,
        uint256 escrowAmount
    ) private {
        bytes4 selector = _selectorOf(data);
        emit PaymentGatedCall(actor, target, selector, amount);
        emit IntentRelayed(intentId, actor, selector, amount, paymentNonce, escrowAmount);
    }

    /// @dev Reverts with PayerTakesBoundOnly if the account accepts only bound calls.
    function _requirePlain(address account) private view {
        if (_wallets[account].boundOnly) revert PayerTakesBoundOnly(account);
    }

    /// @dev Requires the actor's signature of the message that allows the call. The task id in the message is the
    /// call's first argument.
    function _checkSignature(
        address actor,
        bytes calldata signature,
        string calldata suffix,
        address target,
        bytes calldata data,
        PackedRoute route
    ) private view {
        if (data.length < 36) revert NoTaskId();
        string memory tail = SignedMessage.tailOf(route, suffix, target, data);
        bytes32 digest = SignedMessage.hash(SERVICE_NAME, route, bytes32(data[4:36]), tail);
        if (!SignedMessage.isSignedBy(actor, digest, signature)) revert InvalidActorSignature(actor);
    }

    /// @dev Returns the selector: the first four bytes of the call data. Call data below four bytes is padded with
    /// zeros.
    function _selectorOf(bytes calldata data) private pure returns (bytes4) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return bytes4(data);
    }

    /// @dev Returns the key and the bit with which `_relayed` records an intent id.
    function _placeOf(bytes32 intentId) private pure returns (bytes32 word, uint256 bit) {
        // forge-lint: disable-next-line(incorrect-shift)
        return (intentId >> 8, 1 << uint8(uint256(intentId)));
    }

    /// @dev Returns the key under which `_routes` stores the route of a function.
    function _routeKey(address target, bytes4 selector) private pure returns (bytes32) {
        return bytes32(bytes20(target)) | (bytes32(selector) >> 224);
    }
}
