// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {PaymentForwarder} from "../../src/PaymentForwarder.sol";
import {BoundCall} from "../../src/forwarder/BoundCall.sol";
import {Authorization} from "../../src/types/RelayTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {Relay} from "../support/Relay.sol";

/// @notice `vectors.json` was computed from the description of bound payments, apart from every implementation. Client,
/// service and these contracts give the same.
contract BoundVectorsTest is MarketTest {
    uint256 private constant VECTORS = 4;
    string private constant MNEMONIC = "test test test test test test test test test test test junk";

    string private json;
    uint256 private payerKey;

    function setUp() public override {
        super.setUp();
        // The one file that foundry.toml lets tests read.
        // forge-lint: disable-next-line(unsafe-cheatcode)
        json = vm.readFile("test/bound-vectors/vectors.json");
        // The public test mnemonic of anvil.
        // forge-lint: disable-next-line(unsafe-cheatcode)
        payerKey = vm.deriveKey(MNEMONIC, 6);
    }

    /// when a request is salted: it gives the salt of each vector
    function test_Salts() external view {
        for (uint256 i; i < VECTORS; i++) {
            string memory body = vm.toString(sha256(bytes(text(i, "body"))));
            string memory place = string.concat(Strings.toString(number(i, "chainId")), ":", text(i, "forwarder"));
            string memory request = string.concat(text(i, "method"), " ", text(i, "path"), ":", text(i, "key"));
            string memory salted = string.concat("service:pay:", place, ":", request, ":", withoutPrefix(body));
            assertEq(salted, text(i, "requestText"));
            assertEq(keccak256(bytes(salted)), word(i, "salt"));
        }
    }

    /// when a call is bound: it gives the nonce of each vector
    function test_Nonces() external {
        for (uint256 i; i < VECTORS; i++) {
            vm.chainId(number(i, "chainId"));
            PaymentForwarder at = forwarderAt(account(i, "forwarder"));
            bytes memory data = vm.parseJsonBytes(json, path(i, "data"));
            bytes32 nonce = at.boundNonceOf(account(i, "target"), data, number(i, "escrow"), word(i, "salt"));
            assertEq(nonce, word(i, "nonce"));
        }
    }

    /// when the payer signs: it signs the digest of each vector and USDC takes the signature
    function test_Digests() external {
        for (uint256 i; i < VECTORS; i++) {
            vm.chainId(number(i, "chainId"));
            address to = account(i, "forwarder");
            Authorization memory a = authorizationOf(i);
            bytes32 digest = Relay.receiptDigest(usdc, to, a);
            assertEq(digest, word(i, "receiveWithAuthorization.digest"));
            usdc.mint(a.from, a.value);
            bytes memory signed = Relay.signDigest(payerKey, digest);
            vm.prank(to);
            usdc.receiveWithAuthorization(a.from, to, a.value, a.validAfter, a.validBefore, a.nonce, signed);
        }
    }

    /// when a wallet signs a switch: it takes the text of the vector
    function test_TakesTheSwitch() external {
        string memory signed = vm.parseJsonString(json, ".texts.boundOnly");
        PaymentForwarder at = forwarderAt(account(0, "forwarder"));
        address wallet = vm.addr(payerKey);
        at.setBoundOnlyFor(wallet, true, 0, 1_800_000_000, Relay.signText(payerKey, signed));
        assertTrue(at.boundOnly(wallet));
    }

    /// when a message is bound to a call: it ends as the text of the vector
    function test_TakesTheTail() external {
        address at = account(0, "forwarder");
        deployCodeTo("boundVectors.t.sol:TailHarness", at);
        string memory tail = TailHarness(at).tailOf(vm.parseJsonBytes(json, path(2, "data")));
        bytes32 taskId = hex"abababababababababababababababababababababababababababababababab";
        string memory expected = vm.parseJsonString(json, ".texts.submitBoundToCall");
        assertEq(string.concat("service:submit:", vm.toString(taskId), tail), expected);
    }

    function forwarderAt(address where) private returns (PaymentForwarder) {
        deployTo("PaymentForwarder", abi.encode(owner, usdc, "service"), where);
        return PaymentForwarder(where);
    }

    function authorizationOf(uint256 index) private view returns (Authorization memory) {
        return Authorization({
            from: account(index, "receiveWithAuthorization.from"),
            value: number(index, "receiveWithAuthorization.value"),
            validAfter: number(index, "receiveWithAuthorization.validAfter"),
            validBefore: number(index, "receiveWithAuthorization.validBefore"),
            nonce: word(index, "nonce")
        });
    }

    function path(uint256 index, string memory key) private pure returns (string memory) {
        return string.concat(".vectors[", Strings.toString(index), "].", key);
    }

    function text(uint256 index, string memory key) private view returns (string memory) {
        return vm.parseJsonString(json, path(index, key));
    }

    function number(uint256 index, string memory key) private view returns (uint256) {
        return vm.parseJsonUint(json, path(index, key));
    }

    function word(uint256 index, string memory key) private view returns (bytes32) {
        return vm.parseJsonBytes32(json, path(index, key));
    }

    function account(uint256 index, string memory key) private view returns (address) {
        return vm.parseJsonAddress(json, path(index, key));
    }

    function withoutPrefix(string memory hexText) private pure returns (string memory) {
        return vm.replace(hexText, "0x", "");
    }
}

/// @notice Writes the tail at the address that a vector names.
contract TailHarness {
    function tailOf(bytes calldata data) external view returns (string memory) {
        return BoundCall.tailOf("", data);
    }
}
