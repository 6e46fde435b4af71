// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Relay} from "../support/Relay.sol";
import {Authorizations} from "./Authorizations.sol";

/// @notice transferWithAuthorization: time, replay, what is signed, and how.
contract UsdcTransfersTest is Authorizations {
    function count() internal pure override returns (uint256) {
        return 48;
    }

    function setUp() public override {
        super.setUp();
        addTimes();
        addNonces();
        addAmounts();
        addForgeries();
        addSignatures();
    }

    function addTimes() private {
        refused("one second before validAfter", at(start - 1, transfer()), NOT_YET);
        refused("at validAfter", at(start, transfer()), NOT_YET);
        accepted("one second after validAfter", at(start + 1, transfer()), 10);
        accepted("one second before validBefore", at(end - 1, transfer()), 10);
        refused("at validBefore", at(end, transfer()), EXPIRED);
        refused("one second after validBefore", at(end + 1, transfer()), EXPIRED);
        Authorization memory a = usual();
        a.validAfter = 0;
        accepted("valid from the beginning of time", transfer(a), 10);
        a.validBefore = type(uint256).max;
        accepted("valid for ever", at(end * 1000, transfer(a)), 10);
        (a.validAfter, a.validBefore) = (start + 1, start + 2);
        refused("in a window without a second", at(start + 1, transfer(a)), NOT_YET);
        (a.validAfter, a.validBefore) = (end, start);
        refused("in a window that ends before it starts", transfer(a), NOT_YET);
    }

    function addNonces() private {
        refused("a second time", transfer(), transfer(), USED);
        refused("a second time as v r s", transfer(), transferVrs(usual(), signTransfer(usual())), USED);
        refused("a second time after its end", transfer(), at(end, transfer()), EXPIRED);
        Authorization memory a = usual();
        a.value = 11;
        refused("another amount under a used nonce", transfer(), transfer(a), USED);
        a.nonce = "m";
        accepted("another nonce", transfer(), transfer(a), 11);
        a = usual();
        a.from = carol;
        bytes32 hash = hashOf(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a);
        accepted("the same nonce of another payer", transfer(), transfer(a, signAs(carolKey, hash)), 10);
        a = usual();
        a.nonce = 0;
        accepted("nonce zero", transfer(a), 10);
    }

    function addAmounts() private {
        Authorization memory a = usual();
        a.value = 0;
        accepted("nothing", transfer(a), 0);
        a.value = 1000;
        accepted("the whole balance", transfer(a), 1000);
        a.value = 1001;
        refused("more than the balance", transfer(a), BALANCE);
        a.value = type(uint256).max;
        refused("the largest amount there is", transfer(a), BALANCE);
        a = usual();
        a.to = address(0);
        refused("to the zero address", transfer(a), "ERC20: transfer to the zero address");
        a.to = address(usdc);
        refused("to the token, which is blacklisted", transfer(a), BLACKLISTED);
        a.to = alice;
        accepted("to oneself", transfer(a), 0);
        accepted("submitted by the payer", by(alice, transfer().data), 10);
        accepted("submitted by the receiver", by(bob, transfer().data), 10);
    }

    function addForgeries() private {
        bytes memory good = signTransfer(usual());
        Authorization memory a = usual();
        a.to = carol;
        refused("signed for another receiver", transfer(a, good), INVALID);
        a = usual();
        a.value = 11;
        refused("signed for another amount", transfer(a, good), INVALID);
        a = usual();
        a.validAfter = start - 1;
        refused("signed for another start", transfer(a, good), INVALID);
        a = usual();
        a.validBefore = end + 1;
        refused("signed for another end", transfer(a, good), INVALID);
        a = usual();
        a.nonce = "m";
        refused("signed for another nonce", transfer(a, good), INVALID);
        a = usual();
        a.from = carol;
        refused("signed by another than the payer", transfer(a, good), INVALID);
        a.from = address(0);
        refused("in the name of the zero address", transfer(a, good), INVALID);
        refused("signed to be received", transfer(usual(), signReceive(usual())), INVALID);
        refused("signed for another chain", transfer(usual(), signUnder(1, address(usdc))), INVALID);
        refused("signed for another token", transfer(usual(), signUnder(block.chainid, carol)), INVALID);
    }

    function addSignatures() private {
        bytes memory good = signTransfer(usual());
        accepted("as v r s", transferVrs(usual(), good), 10);
        refused("malleable twin", transfer(usual(), mirrored(good)), "ECRecover: invalid signature 's' value");
        refused(
            "malleable twin as v r s", transferVrs(usual(), mirrored(good)), "ECRecover: invalid signature 's' value"
        );
        refused("v of 0", transfer(usual(), withV(good, 0)), "ECRecover: invalid signature 'v' value");
        refused("v of 1", transfer(usual(), withV(good, 1)), "ECRecover: invalid signature 'v' value");
        refused(
            "v of 0 or 1 as v r s", transferVrs(usual(), withSmallV(good)), "ECRecover: invalid signature 'v' value"
        );
        refused("v of 29", transfer(usual(), withV(good, 29)), "ECRecover: invalid signature 'v' value");
        refused(
            "both s and v wrong", transfer(usual(), withV(mirrored(good), 0)), "ECRecover: invalid signature 's' value"
        );
        refused("one byte short", transfer(usual(), new bytes(64)), "ECRecover: invalid signature length");
        refused("one byte long", transfer(usual(), bytes.concat(good, hex"00")), "ECRecover: invalid signature length");
        refused("empty", transfer(usual(), ""), "ECRecover: invalid signature length");
        refused("of zeros", transfer(usual(), withV(new bytes(65), 27)), "ECRecover: invalid signature");
    }

    /// @dev The usual one under the domain of another chain or contract.
    function signUnder(uint256 chainId, address verifyingContract) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USD Coin"),
                keccak256("2"),
                chainId,
                verifyingContract
            )
        );
        bytes32 hash = hashOf(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), usual());
        return Relay.signDigest(key, MessageHashUtils.toTypedDataHash(domain, hash));
    }
}
