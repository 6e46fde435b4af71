// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Authorizations} from "./Authorizations.sol";
import {ScriptedWallet} from "./ScriptedWallet.sol";

/// @notice Payers that are contracts (ERC-1271).
contract UsdcWalletsTest is Authorizations {
    function count() internal pure override returns (uint256) {
        return 18;
    }

    function setUp() public override {
        super.setUp();
        addTransfers();
        addRest();
    }

    function addTransfers() private {
        Authorization memory a = usual();
        bytes memory good = signTransfer(a);
        a.from = wallet(ScriptedWallet.Answer.Accept);
        accepted("a transfer the wallet accepts", transfer(a, good), 10);
        accepted("an empty signature the wallet accepts", transfer(a, ""), 10);
        accepted("a long signature the wallet accepts", transfer(a, new bytes(1000)), 10);
        accepted("a malleable signature the wallet accepts", transfer(a, mirrored(good)), 10);
        accepted("v r s the wallet accepts", transferVrs(a, good), 10);
        refused("a second time", transfer(a, good), transfer(a, good), USED);
        refused("after its end", at(end, transfer(a, good)), EXPIRED);
        a.value = 1001;
        refused("more than the wallet has", transfer(a, good), BALANCE);
        a = usual();
        a.from = wallet(ScriptedWallet.Answer.Refuse);
        refused("a transfer the wallet refuses", transfer(a, good), INVALID);
        a.from = wallet(ScriptedWallet.Answer.Revert);
        refused("a transfer the wallet reverts on", transfer(a, good), INVALID);
        a.from = wallet(ScriptedWallet.Answer.Short);
        refused("an answer of four bytes", transfer(a, good), INVALID);
        a.from = wallet(ScriptedWallet.Answer.Dirty);
        refused("an answer with more than the four bytes", transfer(a, good), INVALID);
        a.from = address(this);
        refused("a contract that knows no signatures", transfer(a, good), INVALID);
    }

    function addRest() private {
        Authorization memory a = usual();
        a.from = wallet(ScriptedWallet.Answer.Accept);
        accepted("a receipt the wallet accepts", receive_(bob, a, ""), 10);
        accepted("a cancellation the wallet accepts", cancel(a.from, "n", ""), 0);
        refused("a transfer after the wallet cancelled", cancel(a.from, "n", ""), transfer(a, ""), USED);
        address refusing = wallet(ScriptedWallet.Answer.Refuse);
        refused("a cancellation the wallet refuses", cancel(refusing, "n", ""), INVALID);
        // An account with a key and code (EIP-7702): its code answers, not its key.
        address both = vm.addr(0xB07);
        usdc.mint(both, 1000);
        vm.etch(both, refusing.code);
        a.from = both;
        bytes32 hash = hashOf(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a);
        refused("a key's signature that the code refuses", transfer(a, signAs(0xB07, hash)), INVALID);
    }
}
