// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The ways to authorize a relayed call. The number of a mode is the bit position in a route's `relayModes`.
/// Bound has no bit of its own: a route that allows Paid also allows Bound.
/// @dev `Paid`: a payer's authorization that is not bound to a call. `Prepaid`: a payer's authorization that another
/// account has already submitted to USDC. `Signed`: a signed message of the actor, without a payment. `Open`: neither a
/// payment nor an actor. `Bound`: a payer's authorization that is bound to one call, because its nonce is a hash of the
/// call.
enum RelayMode {
    Paid,
    Prepaid,
    Signed,
    Open,
    Bound
}

/// @notice The rule for the tail of a signed message. The tail is the text after the task id.
/// @dev `None`: the tail is empty. `Round`: the tail is `:<round>` for a reopened task; empty otherwise. `Content`: the
/// tail is empty, or ":" and any text that does not begin with "call:".
///
/// Under Round and Content, a message can also be bound to one call. The tail is then
/// `:call:<chainId>:<forwarder>:<keccak256 of the data>`. Under Round, `:<round>` precedes this tail if the task was
/// reopened.
enum SuffixRule {
    None,
    Round,
    Content
}

/// @notice A payer's ERC-3009 authorization of a USDC transfer to the forwarder.
/// @param from The payer.
/// @param value Amount in USDC base units.
/// @param validAfter Unix time in seconds; the authorization is valid only after this time.
/// @param validBefore Unix time in seconds; the authorization is valid only before this time.
/// @param nonce Nonce of the authorization. USDC accepts a payer's nonce once.
struct Authorization {
    address from;
    uint256 value;
    uint256 validAfter;
    uint256 validBefore;
    bytes32 nonce;
}

/// @notice A function that the forwarder may call, with the allowed relay modes.
/// @param target Contract of the function.
/// @param selector Selector of the function.
/// @param relayModes Allowed relay modes, as a mask of `1 << RelayMode` bits; zero closes the route.
/// @param suffixRule Rule for the tail of the signed message. Used only in the relay mode Signed.
/// @param verb The `<verb>` in the signed message `<service>:<verb>:<taskId><tail>`, at most 30 bytes.
struct Route {
    address target;
    bytes4 selector;
    uint8 relayModes;
    SuffixRule suffixRule;
    string verb;
}

/// @notice A refund of a prepaid payment. The relayer has announced the refund but not paid it yet.
/// @param payer Payer of the authorization, who receives the refund.
/// @param executableFrom Unix time in seconds from which the refund can be executed.
/// @param relayerTerm Value of the relayer's `term` at the announcement. The refund is void if the term has changed.
/// @param relayer The relayer that announced the refund.
/// @param value Amount of the refund in USDC base units.
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
