// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Authorizations} from "./Authorizations.sol";

/// @notice receiveWithAuthorization: only the payee submits.
contract UsdcReceiptsTest is Authorizations {
    string private constant NOT_PAYEE = "FiatTokenV2: caller must be the payee";

    function count() internal pure override returns (uint256) {
        return 18;
    }

    function setUp() public override {
        super.setUp();
        addCallers();
        addTimes();
        addSignatures();
    }

    function addCallers() private {
        bytes memory good = signReceive(usual());
        accepted("by the payee", receive_(), 10);
        refused("by the payer", receive_(alice, usual(), good), NOT_PAYEE);
        refused("by any account", receive_(carol, usual(), good), NOT_PAYEE);
        Authorization memory a = usual();
        a.to = carol;
        refused("by any account that names itself", receive_(carol, a, good), INVALID);
        refused("by any account after its end", at(end, receive_(carol, usual(), good)), NOT_PAYEE);
    }

    function addTimes() private {
        refused("at validAfter", at(start, receive_()), NOT_YET);
        accepted("one second after validAfter", at(start + 1, receive_()), 10);
        accepted("one second before validBefore", at(end - 1, receive_()), 10);
        refused("at validBefore", at(end, receive_()), EXPIRED);
        refused("a second time", receive_(), receive_(), USED);
        refused("after a transfer under the nonce", transfer(), receive_(), USED);
        refused("a transfer under the nonce after it", receive_(), transfer(), USED);
    }

    function addSignatures() private {
        bytes memory good = signReceive(usual());
        accepted("as v r s", receiveVrs(usual(), good), 10);
        refused("as v r s by any account", by(carol, receiveVrs(usual(), good).data), NOT_PAYEE);
        refused("signed to be transferred", receive_(bob, usual(), signTransfer(usual())), INVALID);
        refused("malleable twin", receive_(bob, usual(), mirrored(good)), "ECRecover: invalid signature 's' value");
        refused("v of 0 or 1", receiveVrs(usual(), withSmallV(good)), "ECRecover: invalid signature 'v' value");
        Authorization memory a = usual();
        a.value = 1001;
        refused("more than the balance", receive_(bob, a, signReceive(a)), BALANCE);
    }
}
