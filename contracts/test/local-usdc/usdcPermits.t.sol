// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ScriptedWallet} from "./ScriptedWallet.sol";
import {UsdcTable} from "./UsdcTable.sol";

/// @notice permit: alice lets bob spend 77 unless told otherwise. What a permit is worth shows in what bob can take.
contract UsdcPermitsTest is UsdcTable {
    string private constant INVALID_PERMIT = "EIP2612: invalid signature";

    function count() internal pure override returns (uint256) {
        return 21;
    }

    function setUp() public override {
        super.setUp();
        addTimes();
        addNonces();
        addForgeries();
        addWallets();
    }

    function addTimes() private {
        accepted("one second before the deadline", at(end - 1, permit(77, 0, end)), 0);
        accepted("at the deadline", at(end, permit(77, 0, end)), 0);
        refused("one second after the deadline", at(end + 1, permit(77, 0, end)), "FiatTokenV2: permit is expired");
        accepted("without a deadline", at(end * 1000, permit(77, 0, type(uint256).max)), 0);
        refused(
            "after the deadline and without a signature",
            at(end + 1, permit(alice, 77, end, "")),
            "FiatTokenV2: permit is expired"
        );
        accepted("what was permitted can be taken", permit(77, 0, end), take(77), 77);
        refused("no more than was permitted can be taken", permit(77, 0, end), take(78), ALLOWANCE);
        accepted("a permit replaces the allowance", two(permit(77, 0, end), permit(5, 1, end)), take(5), 5);
    }

    function addNonces() private {
        refused("a second time", permit(77, 0, end), permit(77, 0, end), INVALID_PERMIT);
        refused("under a nonce to come", permit(77, 1, end), INVALID_PERMIT);
        accepted("under the next nonce", permit(77, 0, end), permit(78, 1, end), 0);
        bytes memory good = sign(hash(alice, 77, 0, end));
        accepted("as v r s", permitVrs(77, end, good), 0);
        refused("a second time as v r s", permitVrs(77, end, good), permitVrs(77, end, good), INVALID_PERMIT);
    }

    function addForgeries() private {
        bytes memory good = sign(hash(alice, 77, 0, end));
        refused("signed for another amount", permit(alice, 78, end, good), INVALID_PERMIT);
        refused("signed for another deadline", permit(alice, 77, end + 1, good), INVALID_PERMIT);
        refused("signed by another than the owner", permit(carol, 77, end, good), INVALID_PERMIT);
        refused("malleable twin", permit(alice, 77, end, mirrored(good)), "ECRecover: invalid signature 's' value");
        refused("v of 0 or 1", permitVrs(77, end, withSmallV(good)), "ECRecover: invalid signature 'v' value");
    }

    function addWallets() private {
        accepted("a permit the wallet accepts", permit(wallet(ScriptedWallet.Answer.Accept), 77, end, ""), 0);
        refused(
            "a permit the wallet refuses", permit(wallet(ScriptedWallet.Answer.Refuse), 77, end, ""), INVALID_PERMIT
        );
        refused(
            "a permit the wallet reverts on", permit(wallet(ScriptedWallet.Answer.Revert), 77, end, ""), INVALID_PERMIT
        );
    }

    function hash(address owner, uint256 value, uint256 nonce, uint256 deadline) private view returns (bytes32) {
        return keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), owner, bob, value, nonce, deadline));
    }

    /// @dev Alice's, signed by alice and submitted by any account.
    function permit(uint256 value, uint256 nonce, uint256 deadline) private view returns (Step memory) {
        return permit(alice, value, deadline, sign(hash(alice, value, nonce, deadline)));
    }

    function permit(address owner, uint256 value, uint256 deadline, bytes memory signature)
        private
        view
        returns (Step memory)
    {
        string memory name = "permit(address,address,uint256,uint256,bytes)";
        return by(carol, abi.encodeWithSignature(name, owner, bob, value, deadline, signature));
    }

    function permitVrs(uint256 value, uint256 deadline, bytes memory signature) private view returns (Step memory) {
        (uint8 v, bytes32 r, bytes32 s) = parts(signature);
        string memory name = "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)";
        return by(carol, abi.encodeWithSignature(name, alice, bob, value, deadline, v, r, s));
    }

    function take(uint256 value) private view returns (Step memory) {
        return by(bob, abi.encodeCall(usdc.transferFrom, (alice, bob, value)));
    }
}
