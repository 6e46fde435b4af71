// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Relay} from "../support/Relay.sol";
import {Attempt, EntryPoint, EntryPoints} from "./EntryPoints.sol";

/// @notice A kind of signature of a wallet.
/// @param name As in the table, for example `claim, plain` or `ClaimTo`.
/// @param text With the values of `signatures.json`; empty: the signature is over typed data.
struct SignedRow {
    string name;
    string text;
}

/// @title The kinds of signatures that a wallet gives away, and one of each for every entry point
/// @notice The texts come from `signatures.json`, which a unit test makes of the code of client and service. Each is signed as
/// it would be valid at the entry point at which the thief presents it, so that nothing but its kind tells it apart.
abstract contract SignedRows is EntryPoints {
    /// @dev The values of `signatures.json`.
    string private constant TASK_ID = "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1";
    string private constant ID = "0xe5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5";
    string private constant FORWARDER = "0xc3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3";
    string private constant WALLET = "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2";
    string private constant OTHER = "0xd4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4";
    string private constant NO_DATA_HASH = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

    SignedRow[] internal rows;
    string private _json;

    function setUp() public virtual override {
        super.setUp();
        // foundry.toml lets tests read the file.
        // forge-lint: disable-next-line(unsafe-cheatcode)
        _json = vm.readFile("test/stored-signatures/signatures.json");
        for (uint256 i; _has(".texts", i); i++) {
            rows.push(SignedRow(_textAt(".texts", i, ".name"), _textAt(".texts", i, ".text")));
        }
        string[7] memory typed = [
            "TransferWithAuthorization",
            "TransferWithAuthorization, withdrawal",
            "ReceiveWithAuthorization",
            "ClaimTo",
            "CancelAuthorization",
            "Permit",
            "AgentWalletSet"
        ];
        for (uint256 i; i < typed.length; i++) {
            rows.push(SignedRow(typed[i], ""));
        }
    }

    /// @dev The typed data that client and service sign and check today.
    function typedDataOfTheCode() internal view returns (string[] memory names) {
        names = vm.parseJsonStringArray(_json, ".typedData");
    }

    /// @dev The functions of today's contracts that take a signature.
    function functionsOfTheCode() internal view returns (string[] memory names) {
        names = vm.parseJsonStringArray(_json, ".functions");
    }

    function attemptOf(SignedRow memory row, EntryPoint entry) internal view returns (Attempt memory a) {
        bool isWithdrawal = _is(row, "TransferWithAuthorization, withdrawal");
        bool isBound =
            _is(row, "ReceiveWithAuthorization") || (bytes(row.text).length > 0 && entry == EntryPoint.RelayBound);
        a.entry = entry;
        a.authorization = isWithdrawal ? withdrawal() : isBound ? boundPayment() : plainPayment();
        a.to = isWithdrawal ? destination : address(forwarder);
        string memory text = bytes(row.text).length == 0 ? "" : _fill(row.text, entry);
        a.content = _contentOf(text, entry);
        a.signature = Relay.signDigest(key, bytes(text).length > 0 ? _messageDigest(text) : _typedDigest(row, a));
    }

    function _messageDigest(string memory text) private pure returns (bytes32) {
        return MessageHashUtils.toEthSignedMessageHash(bytes(text));
    }

    function _typedDigest(SignedRow memory row, Attempt memory a) private view returns (bytes32) {
        if (_is(row, "ReceiveWithAuthorization")) return Relay.receiptDigest(usdc, a.to, a.authorization);
        if (_is(row, "ClaimTo")) return claimDigest(rewardClaim(0));
        bytes32 domain = usdc.DOMAIN_SEPARATOR();
        bytes32 structHash;
        if (_is(row, "CancelAuthorization")) {
            structHash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), wallet, NONCE));
        } else if (_is(row, "Permit")) {
            structHash =
                keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), wallet, thief, 1, usdc.nonces(wallet), validBefore));
        } else if (_is(row, "AgentWalletSet")) {
            (domain, structHash) = _agentWallet();
        } else {
            return Relay.transferDigest(usdc, a.to, a.authorization);
        }
        return MessageHashUtils.toTypedDataHash(domain, structHash);
    }

    function _agentWallet() private view returns (bytes32 domain, bytes32 structHash) {
        bytes32 typehash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 name = keccak256("ERC8004IdentityRegistry");
        domain = keccak256(abi.encode(typehash, name, keccak256("1"), block.chainid, address(identity)));
        typehash = keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
        structHash = keccak256(abi.encode(typehash, agentId, wallet, thief, validBefore));
    }

    /// @dev The text with the values of this chain and of the entry point in place of those of the file.
    function _fill(string memory text, EntryPoint entry) private view returns (string memory) {
        (bytes memory data,) = messageOf(entry, 0, "");
        string memory counter = Strings.toString(forwarder.boundOnlyCounter(wallet));
        text = vm.replace(text, ":0:1800000000", string.concat(":", counter, ":1800000000"));
        text = vm.replace(text, "1800000000", Strings.toString(validBefore));
        text = vm.replace(text, TASK_ID, _hex(_taskIdOf(data)));
        text = vm.replace(text, NO_DATA_HASH, _hex(keccak256(data)));
        text = vm.replace(text, ID, _hex(NONCE));
        text = vm.replace(text, FORWARDER, _hex(address(forwarder)));
        text = vm.replace(text, WALLET, _hex(wallet));
        return vm.replace(text, OTHER, _hex(destination));
    }

    /// @dev The tail of the text where it is one of a submission; else some other one.
    function _contentOf(string memory text, EntryPoint entry) private view returns (string memory) {
        (bytes memory data,) = messageOf(entry, 0, "");
        string memory head = string.concat("service:submit:", _hex(_taskIdOf(data)), ":");
        return vm.indexOf(text, head) == 0 ? string.concat(":", vm.replace(text, head, "")) : ":x";
    }

    function _taskIdOf(bytes memory data) private pure returns (bytes32 taskId) {
        assembly ("memory-safe") {
            taskId := mload(add(data, 36))
        }
    }

    function _is(SignedRow memory row, string memory name) private pure returns (bool) {
        return Strings.equal(row.name, name);
    }

    /// @dev Calls forge: in Solidity, these texts took most of the time of the tests.
    function _hex(bytes32 word) private pure returns (string memory) {
        return vm.toString(word);
    }

    function _hex(address account) private pure returns (string memory) {
        return vm.toLowercase(vm.toString(account));
    }

    function _has(string memory list, uint256 index) private view returns (bool) {
        return vm.keyExistsJson(_json, string.concat(list, "[", Strings.toString(index), "]"));
    }

    function _textAt(string memory list, uint256 index, string memory member) private view returns (string memory) {
        return vm.parseJsonString(_json, string.concat(list, "[", Strings.toString(index), "]", member));
    }
}
