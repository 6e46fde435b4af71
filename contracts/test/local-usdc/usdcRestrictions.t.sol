// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Authorizations} from "./Authorizations.sol";

/// @notice Calls that the blacklist and the pause stop, and those that they do not.
contract UsdcRestrictionsTest is Authorizations {
    function count() internal pure override returns (uint256) {
        return 37;
    }

    function setUp() public override {
        super.setUp();
        addBlacklistedAuthorizations();
        addBlacklistedTransfers();
        addPause();
        addPausedAdministration();
    }

    function addBlacklistedAuthorizations() private {
        refused("transfer from a blacklisted payer", blacklist(alice), transfer(), BLACKLISTED);
        refused("transfer to a blacklisted receiver", blacklist(bob), transfer(), BLACKLISTED);
        accepted("transfer submitted by a blacklisted caller", blacklist(carol), transfer(), 10);
        refused("receipt from a blacklisted payer", blacklist(alice), receive_(), BLACKLISTED);
        refused("receipt by a blacklisted payee", blacklist(bob), receive_(), BLACKLISTED);
        accepted("cancellation by a blacklisted payer", blacklist(alice), cancel(), 0);
        refused("blacklisted before the signature is read", blacklist(alice), transfer(usual(), ""), BLACKLISTED);
        refused("blacklisted before the time is looked at", blacklist(alice), at(end, transfer()), BLACKLISTED);
        accepted("transfer from a payer taken off", two(blacklist(alice), unBlacklist(alice)), transfer(), 10);
    }

    function addBlacklistedTransfers() private {
        refused("plain transfer by a blacklisted account", blacklist(alice), give(bob, 1), BLACKLISTED);
        refused("plain transfer to a blacklisted account", blacklist(bob), give(bob, 1), BLACKLISTED);
        refused("nothing to a blacklisted account", blacklist(bob), give(bob, 0), BLACKLISTED);
        refused("taking by a blacklisted spender", two(approve(carol), blacklist(carol)), take(), BLACKLISTED);
        refused("taking from a blacklisted owner", two(approve(carol), blacklist(alice)), take(), BLACKLISTED);
        refused("taking for a blacklisted receiver", two(approve(carol), blacklist(bob)), take(), BLACKLISTED);
        accepted("taking after a blacklisted approval", two(blacklist(alice), approve(carol)), unBlacklist(alice), 0);
        accepted("approval by a blacklisted owner", blacklist(alice), approve(carol), 0);
        accepted("approval of a blacklisted spender", blacklist(carol), approve(carol), 0);
        bytes memory more = abi.encodeCall(usdc.increaseAllowance, (carol, 1));
        accepted("increase by a blacklisted owner", blacklist(alice), by(alice, more), 0);
        accepted("permit by a blacklisted owner", blacklist(alice), permit(), 0);
    }

    function addPause() private {
        refused("paused transfer by authorization", pause(), transfer(), PAUSED);
        refused("paused transfer as v r s", pause(), transferVrs(usual(), signTransfer(usual())), PAUSED);
        refused("paused receipt", pause(), receive_(), PAUSED);
        refused("paused receipt by another than the payee", pause(), by(carol, receive_().data), PAUSED);
        refused("paused cancellation", pause(), cancel(), PAUSED);
        refused("paused permit", pause(), permit(), PAUSED);
        refused("paused plain transfer", pause(), give(bob, 0), PAUSED);
        refused("paused taking", two(approve(carol), pause()), take(), PAUSED);
        refused("paused approval", pause(), approve(carol), PAUSED);
        refused("paused while blacklisted too", two(blacklist(alice), pause()), transfer(), PAUSED);
        accepted("transfer when unpaused", two(pause(), byAdmin(abi.encodeCall(usdc.unpause, ()))), transfer(), 10);
    }

    function addPausedAdministration() private {
        refused("paused mint", pause(), byAdmin(abi.encodeCall(usdc.mint, (bob, 1))), PAUSED);
        refused("paused burn", pause(), byAdmin(abi.encodeCall(usdc.burn, (1))), PAUSED);
        bytes memory configure = abi.encodeCall(usdc.configureMinter, (bob, 1));
        refused("paused minter configuration", pause(), byAdmin(configure), PAUSED);
        refused("paused minter configuration by a stranger", pause(), by(carol, configure), PAUSED);
        accepted("paused minter removal", pause(), byAdmin(abi.encodeCall(usdc.removeMinter, (address(this)))), 0);
        accepted("paused blacklisting", pause(), blacklist(bob), 0);
    }

    function unBlacklist(address account) private view returns (Step memory) {
        return byAdmin(abi.encodeCall(usdc.unBlacklist, (account)));
    }

    function give(address to, uint256 value) private view returns (Step memory) {
        return by(alice, abi.encodeCall(usdc.transfer, (to, value)));
    }

    function approve(address spender) private view returns (Step memory) {
        return by(alice, abi.encodeCall(usdc.approve, (spender, 10)));
    }

    /// @dev Carol takes 10 from alice for bob.
    function take() private view returns (Step memory) {
        return by(carol, abi.encodeCall(usdc.transferFrom, (alice, bob, 10)));
    }

    function permit() private view returns (Step memory) {
        bytes32 hash = keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), alice, bob, 77, usdc.nonces(alice), end));
        string memory name = "permit(address,address,uint256,uint256,bytes)";
        return by(carol, abi.encodeWithSignature(name, alice, bob, 77, end, sign(hash)));
    }
}
