// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Switch of a wallet that accepts only bound calls
/// @notice While a wallet's switch is on, the forwarder accepts only bound payments and call-bound messages from the
/// wallet. These signatures cover the whole call. The switch protects the wallet against stolen relayer keys.
///
/// Example: if the switch of a wallet is on, a plain payment of 1 USDC by the wallet is refused with
/// `PayerTakesBoundOnly`.
interface IBoundOnly {
    /// @notice The switch by which a wallet accepts only bound calls was turned on or off. The wallet's next signed
    /// switch message must contain `counter`.
    event BoundOnlySet(address indexed wallet, bool on, uint256 counter);

    /// @notice The account accepts only bound calls, and this call is not bound.
    error PayerTakesBoundOnly(address payer);

    /// @notice The signed switch message contains the counter `given`, but the wallet's next counter is `expected`.
    error WrongCounter(uint256 expected, uint256 given);

    /// @notice The signed switch message was valid only before `validBefore`, Unix seconds.
    error SwitchExpired(uint256 validBefore);

    /// @notice The given signature is not the wallet's signature of the switch message. A switch message turns the
    /// wallet's bound-only switch on or off.
    error InvalidSwitchSignature(address wallet);

    /// @notice Turns the caller's bound-only switch on or off, and raises the caller's counter by one. A switch message
    /// that the caller signed with the previous counter can no longer be used.
    ///
    /// Example: `setBoundOnly(true)` emits `BoundOnlySet(caller, true, 1)` the first time.
    function setBoundOnly(bool on) external;

    /// @notice Sets the switch of a wallet that signed
    /// `<service>:bound-only:<on|off>:<chainId>:<forwarder>:<wallet>:<counter>:<validBefore>` (EIP-191, addresses in
    /// lower case). The wallet may be a key or a contract (ERC-1271). Any account may call.
    ///
    /// Example: `service:bound-only:on:8453:0x3063...86b6:0x976e...0aa9:0:1800000000`.
    /// @param counter Must equal `boundOnlyCounter(wallet)`. Each counter can be used once.
    /// @param validBefore Unix time in seconds; the message is valid only before this time.
    function setBoundOnlyFor(address wallet, bool on, uint256 counter, uint256 validBefore, bytes calldata signature)
        external;

    /// @notice Returns whether the wallet accepts only bound calls.
    ///
    /// Example: false until the wallet's switch is turned on.
    function boundOnly(address wallet) external view returns (bool);

    /// @notice Returns the counter that the wallet must put into its next signed message for `setBoundOnlyFor`. The
    /// counter rises by one each time that the wallet's setting is set, with or without a signed message.
    ///
    /// Example: 0 before the setting is set for the first time, then 1.
    function boundOnlyCounter(address wallet) external view returns (uint256);
}
