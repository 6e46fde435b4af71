// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The admission of a relayed call. The first four are bit positions in a route's `relayModes`; the bit of Paid
/// admits Bound too.
/// @dev Paid: an authorization that pays for any call. Prepaid: an authorization that another account submitted before.
/// Signed: free, with the actor's message. Open: without an actor. Bound: an authorization that pays for this call
/// alone.
enum RelayMode {
    Paid,
    Prepaid,
    Signed,
    Open,
    Bound
}

/// @notice The tail that a signed message must have.
/// @dev Tails by member. None: empty. Round: empty in round 0 of the task, else ":<round>". Content: empty, or ":" and any text that
/// does not begin with "call:". Routes of Round and Content also accept the call-bound tail of
/// `IPaymentForwarder.relaySigned`.
enum SuffixRule {
    None,
    Round,
    Content
}

/// @notice An ERC-3009 authorization whose receiver is the forwarder.
/// @param from The payer.
/// @param value USDC base units.
/// @param validAfter Unix seconds; valid strictly after it.
/// @param validBefore Unix seconds; valid strictly before it.
/// @param nonce Used once per payer at USDC.
struct Authorization {
    address from;
    uint256 value;
    uint256 validAfter;
    uint256 validBefore;
    bytes32 nonce;
}

/// @notice A function that the forwarder may call.
/// @param target Contract that is called.
/// @param selector Selector of the function.
/// @param relayModes Mask of `1 << RelayMode`; zero closes the route.
/// @param suffixRule The tail of the signed message, when the Signed bit is set.
/// @param verb The word of the signed message `<service>:<verb>:<taskId><tail>`, at most 30 bytes.
struct Route {
    address target;
    bytes4 selector;
    uint8 relayModes;
    SuffixRule suffixRule;
    string verb;
}

/// @notice A refund of prepaid money above the daily limit, between its announcement and its execution.
/// @param payer The only receiver.
/// @param executableFrom Unix seconds.
/// @param relayerTerm The relayer's term at the announcement: the refund is void once the term is over.
/// @param relayer The relayer that announced it.
/// @param value USDC base units.
/// @param nonce Nonce of the payer's authorization.
struct AnnouncedRefund {
    address payer;
    uint40 executableFrom;
    uint32 relayerTerm;
    // slot
    address relayer;
    uint72 value;
    // slot
    bytes32 nonce;
}
