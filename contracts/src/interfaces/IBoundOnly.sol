// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title The switch of a wallet that accepts bound calls alone
/// @notice While it is on, the forwarder acts for the wallet only by calls that the wallet signed as a whole: bound
/// payments and call-bound messages. A wallet turns it on to be safe from a stolen relayer key.
///
/// Example: a wallet that is on and signs a plain payment of 1 USDC is refused with `PayerTakesBoundOnly`.
interface IBoundOnly {
    /// @notice A wallet's switch was set. `counter` is the one that its next signed switch must name.
    event BoundOnlySet(address indexed wallet, bool on, uint256 counter);

    /// @notice The account accepts bound calls alone, and this call is not bound.
    error PayerTakesBoundOnly(address payer);

    /// @notice The signed switch is not the wallet's next one.
    error WrongCounter(uint256 expected, uint256 given);

    /// @notice The signed switch was valid before `validBefore`, Unix seconds.
    error SwitchExpired(uint256 validBefore);

    /// @notice The wallet did not sign this switch.
    error InvalidSwitchSignature(address wallet);

    /// @notice Sets the caller's own switch. Signed switches that were not used become invalid.
    ///
    /// Example: `setBoundOnly(true)` emits `BoundOnlySet(caller, true, 1)` the first time.
    function setBoundOnly(bool on) external;

    /// @notice Sets the switch of a wallet that signed
    /// `<service>:bound-only:<on|off>:<chainId>:<forwarder>:<wallet>:<counter>:<validBefore>` (EIP-191, addresses in
    /// lower case); any account may call. Keys and contract wallets (ERC-1271) can sign.
    ///
    /// Example: `service:bound-only:on:8453:0x3063...86b6:0x976e...0aa9:0:1800000000`.
    /// @param counter `boundOnlyCounter` of the wallet: each is used once.
    /// @param validBefore Unix seconds; valid strictly before it.
    function setBoundOnlyFor(address wallet, bool on, uint256 counter, uint256 validBefore, bytes calldata signature)
        external;

    /// @notice Returns whether the wallet accepts bound calls alone.
    ///
    /// Example: false before the wallet's first switch.
    function boundOnly(address wallet) external view returns (bool);

    /// @notice Returns the counter of the wallet's next signed switch.
    ///
    /// Example: 0 before the wallet's first switch, 1 after it.
    function boundOnlyCounter(address wallet) external view returns (uint256);
}
