// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IBoundOnly} from "../../src/interfaces/IBoundOnly.sol";
import {Wallet1271} from "../support/Wallet1271.sol";
import {Attempt, EntryPoint, EntryPoints} from "./EntryPoints.sol";
import {SignedRow, SignedRows} from "./SignedRows.sol";

/// @notice Effects of a signature at an entry point.
/// @dev Signed: the act that the wallet signed and no other. AnyAct: also another one of the same kind.
enum Use {
    None,
    Signed,
    AnyAct
}

/// @notice A thief with the relayer key presents every signature that the service receives or stores at every entry
/// point of the contracts. `_listUses` is the table; every combination that it does not name is tried too, and is
/// refused because of the signature.
contract StoredSignaturesTest is SignedRows {
    /// @dev Ends a signature in an envelope of ERC-6492.
    bytes32 private constant ENVELOPE_END = bytes32(uint256(0x6492) * (type(uint256).max / type(uint16).max));

    mapping(bytes32 nameHash => mapping(EntryPoint => Use)) private _uses;
    uint256 private _listed;

    function setUp() public override {
        super.setUp();
        _listUses();
    }

    /// given the code of client and service: it has a row for all typed data
    function test_HasARowForAllTypedData() external view {
        string[] memory names = typedDataOfTheCode();
        for (uint256 i; i < names.length; i++) {
            bool isListed;
            for (uint256 j; j < rows.length; j++) {
                isListed = isListed || Strings.equal(rows[j].name, names[i]);
            }
            assertTrue(isListed, names[i]);
        }
    }

    /// given the code of client and service: it has an entry point for every function that takes a signature
    function test_HasAnEntryPointForEveryFunction() external view {
        string[] memory names = functionsOfTheCode();
        string[15] memory listed = listFunctions();
        assertEq(names.length, listed.length);
        for (uint256 i; i < names.length; i++) {
            bool isListed;
            for (uint256 j; j < listed.length; j++) {
                isListed = isListed || Strings.equal(listed[j], names[i]);
            }
            assertTrue(isListed, names[i]);
        }
    }

    /// given the wallet is a key: it lets each signature do its own act alone
    function test_OfAKey() external {
        prepare(vm.addr(key));
        assertEq(tryAll(false), _listed);
    }

    /// given the wallet is a contract: it lets each signature do its own act alone
    function test_OfAContract() external {
        prepare(address(new Wallet1271(vm.addr(key))));
        assertEq(tryAll(false), _listed);
    }

    /// given the wallet takes bound calls alone: it lets no plain signature act
    function test_OfBoundOnly() external {
        prepare(vm.addr(key));
        vm.prank(wallet);
        forwarder.setBoundOnly(true);
        assertEq(tryAll(true), _listed);
    }

    /// given the signature is in an envelope of ERC-6492: it lets none act
    function test_OfAnEnvelope() external {
        prepare(vm.addr(key));
        for (uint256 i; i < rows.length; i++) {
            for (uint256 j; j <= uint256(type(EntryPoint).max); j++) {
                if (_useOf(rows[i].name, EntryPoint(j)) == Use.None) continue;
                Attempt memory a = attemptOf(rows[i], EntryPoint(j));
                a.signature = abi.encodePacked(abi.encode(thief, "", a.signature), ENVELOPE_END);
                (bool hasActed,) = _try(a);
                assertFalse(hasActed, _cell(rows[i], j));
            }
        }
    }

    /// given two contract wallets of one key, which bind no signature to themselves: it lets a text about a task act for both
    function test_OfTwoWalletsOfOneKey() external {
        prepare(address(new Wallet1271(vm.addr(key))));
        Attempt memory a = attemptOf(SignedRow("claim, call", _textOf("claim, call")), EntryPoint.ClaimCall);
        wallet = address(new Wallet1271(vm.addr(key)));
        (bool hasActed,) = _try(a);
        assertTrue(hasActed);
    }

    /// @dev Tries every cell. Returns how many of the listed ones the table has.
    function tryAll(bool isBoundOnly) private returns (uint256 listed) {
        for (uint256 i; i < rows.length; i++) {
            for (uint256 j; j <= uint256(type(EntryPoint).max); j++) {
                Use use = _useOf(rows[i].name, EntryPoint(j));
                if (use != Use.None) listed++;
                if (isBoundOnly && isPlain(EntryPoint(j))) _tryClosed(rows[i], EntryPoint(j));
                else _tryBoth(rows[i], EntryPoint(j), use);
            }
        }
    }

    function _tryBoth(SignedRow memory row, EntryPoint entry, Use use) private {
        Attempt memory a = attemptOf(row, entry);
        // A text that is refused names no act of this entry point, so that the other act says nothing more.
        uint256 acts = use == Use.None && bytes(row.text).length > 0 ? 1 : 2;
        for (a.act = 0; a.act < acts; a.act++) {
            bool isAllowed = use == Use.AnyAct || (use == Use.Signed && a.act == 0);
            (bool hasActed, bytes memory reason) = _try(a);
            string memory cell = _cell(row, uint256(entry));
            assertEq(hasActed, isAllowed, cell);
            assertTrue(hasActed || refusesSignature(entry, reason), string.concat(cell, vm.toString(reason)));
        }
    }

    /// @dev Refused before the signature is looked at, whatever was signed.
    function _tryClosed(SignedRow memory row, EntryPoint entry) private {
        (bool hasActed, bytes memory reason) = _try(attemptOf(row, entry));
        assertFalse(hasActed, _cell(row, uint256(entry)));
        assertEq(reason, abi.encodeWithSelector(IBoundOnly.PayerTakesBoundOnly.selector, wallet));
    }

    function _try(Attempt memory a) private returns (bool hasActed, bytes memory reason) {
        try this.attempt(a) {
            revert("an attempt leaves its state behind");
        } catch (bytes memory caught) {
            return (bytes4(caught) == EntryPoints.Acted.selector, caught);
        }
    }

    // --- The table ---

    function _listUses() private {
        // A plain payment pays for any act of the wallet, within the day's limit once it was submitted alone.
        _list("TransferWithAuthorization", EntryPoint.RelayPaid, Use.AnyAct);
        _list("TransferWithAuthorization", EntryPoint.RelayPrepaid, Use.AnyAct);
        _list("TransferWithAuthorization", EntryPoint.RefundPrepaid, Use.Signed);
        _list("TransferWithAuthorization", EntryPoint.AnnounceRefund, Use.Signed);
        _list("TransferWithAuthorization", EntryPoint.Transfer, Use.Signed);
        _list("TransferWithAuthorization, withdrawal", EntryPoint.Transfer, Use.Signed);
        _list("ReceiveWithAuthorization", EntryPoint.RelayBound, Use.Signed);
        _list("claim, plain", EntryPoint.Claim, Use.Signed);
        _list("claim, call", EntryPoint.ClaimCall, Use.Signed);
        _list("claim, round", EntryPoint.ClaimLater, Use.Signed);
        _list("claim, call in a round", EntryPoint.ClaimLaterCall, Use.Signed);
        // A text that does not name its call commits any work to its task.
        _list("submit, plain", EntryPoint.Submit, Use.AnyAct);
        _list("submit, keys", EntryPoint.SubmitContent, Use.AnyAct);
        _list("submit, call", EntryPoint.SubmitCall, Use.Signed);
        _list("forfeit, plain", EntryPoint.Forfeit, Use.Signed);
        _list("forfeit, call", EntryPoint.ForfeitCall, Use.Signed);
        _list("bound-only, on", EntryPoint.SwitchOn, Use.Signed);
        _list("bound-only, off", EntryPoint.SwitchOff, Use.Signed);
        _list("withdraw-token, withdrawal", EntryPoint.WithdrawToken, Use.Signed);
        _list("ClaimTo", EntryPoint.ClaimReward, Use.Signed);
        _list("ClaimTo", EntryPoint.ClaimRewardAtFactory, Use.Signed);
        // No client of ours signs these three; they show that their entry points are tried in earnest.
        _list("CancelAuthorization", EntryPoint.Cancel, Use.Signed);
        _list("Permit", EntryPoint.Permit, Use.Signed);
        _list("AgentWalletSet", EntryPoint.AgentWallet, Use.Signed);
    }

    function _list(string memory name, EntryPoint entry, Use use) private {
        _uses[keccak256(bytes(name))][entry] = use;
        _listed++;
    }

    function _useOf(string memory name, EntryPoint entry) private view returns (Use) {
        return _uses[keccak256(bytes(name))][entry];
    }

    function _textOf(string memory name) private view returns (string memory) {
        for (uint256 i; i < rows.length; i++) {
            if (Strings.equal(rows[i].name, name)) return rows[i].text;
        }
        revert(name);
    }

    function _cell(SignedRow memory row, uint256 entry) private pure returns (string memory) {
        return string.concat(row.name, " at entry point ", Strings.toString(entry), ": ");
    }
}
