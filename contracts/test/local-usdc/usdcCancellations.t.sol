// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Authorizations} from "./Authorizations.sol";

/// @notice cancelAuthorization: the payer takes a nonce back.
contract UsdcCancellationsTest is Authorizations {
    function count() internal pure override returns (uint256) {
        return 17;
    }

    function setUp() public override {
        super.setUp();
        bytes memory good = signCancel(alice, "n");
        refused("a transfer after it", cancel(), transfer(), USED);
        refused("a receipt after it", cancel(), receive_(), USED);
        refused("after a transfer", transfer(), cancel(), USED);
        refused("twice", cancel(), cancel(), USED);
        refused("twice as v r s", cancel(), cancelVrs(alice, "n", good), USED);
        Authorization memory other = usual();
        other.nonce = "m";
        accepted("a transfer under another nonce after it", cancel(), transfer(other), 10);
        accepted("before anything was signed", cancel(alice, "m", signCancel(alice, "m")), 0);
        accepted("long after the end", at(end * 2, cancel()), 0);
        accepted("submitted by the payer", by(alice, cancel().data), 0);
        accepted("as v r s", cancelVrs(alice, "n", good), 0);
        bytes32 hash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), alice, bytes32("n")));
        refused("signed by another", cancel(alice, "n", signAs(carolKey, hash)), INVALID);
        refused("of another payer's nonce", cancel(carol, "n", good), INVALID);
        refused("signed for another nonce", cancel(alice, "m", good), INVALID);
        refused("with the signature of the transfer", cancel(alice, "n", signTransfer(usual())), INVALID);
        refused("malleable twin", cancel(alice, "n", mirrored(good)), "ECRecover: invalid signature 's' value");
        refused("v of 0 or 1", cancelVrs(alice, "n", withSmallV(good)), "ECRecover: invalid signature 'v' value");
        hash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), carol, bytes32("n")));
        accepted(
            "a transfer after another payer cancelled the same nonce",
            cancel(carol, "n", signAs(carolKey, hash)),
            transfer(),
            10
        );
    }
}
