// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {CompiledCode} from "../support/CompiledCode.sol";
import {Relay} from "../support/Relay.sol";
import {ScriptedWallet} from "./ScriptedWallet.sol";

/// @title A table of calls to USDC and their expected results
/// @notice A contract that inherits adds its rows in `setUp`; forge runs every row on its own and names the row that
/// fails. The expected results come from Circle's sources (FiatToken v2.2 and its bases).
abstract contract UsdcTable is CompiledCode {
    /// @dev A call at a time (0: now).
    struct Step {
        address caller;
        uint256 time;
        bytes data;
    }

    /// @dev `words` is the reason of the refusal, empty when the call is accepted; `moved` is what bob gets by it.
    struct Row {
        string name;
        Step[] before;
        Step step;
        string words;
        uint256 moved;
    }

    uint256 internal constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
    string internal constant USED = "FiatTokenV2: authorization is used or canceled";
    string internal constant INVALID = "FiatTokenV2: invalid signature";
    string internal constant NOT_YET = "FiatTokenV2: authorization is not yet valid";
    string internal constant EXPIRED = "FiatTokenV2: authorization is expired";
    string internal constant BLACKLISTED = "Blacklistable: account is blacklisted";
    string internal constant PAUSED = "Pausable: paused";
    string internal constant BALANCE = "ERC20: transfer amount exceeds balance";
    string internal constant ALLOWANCE = "ERC20: transfer amount exceeds allowance";

    LocalUsdc internal usdc = LocalUsdc(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
    uint256 internal key = 0xA11CE;
    uint256 internal carolKey = 0xCA401;
    address internal alice = vm.addr(key);
    address internal bob = makeAddr("bob");
    address internal carol = vm.addr(carolKey);
    /// @dev An authorization is valid strictly between them.
    uint256 internal start = block.timestamp - 1;
    uint256 internal end = block.timestamp + 100;

    bytes[] private _rows;

    function setUp() public virtual {
        deployTo("LocalUsdc", address(usdc));
        usdc.initialize(address(this));
        usdc.configureMinter(address(this), type(uint256).max);
        usdc.mint(alice, 1000);
        usdc.mint(carol, 1000);
    }

    function fixtureRow() external view returns (Row[] memory rows) {
        rows = new Row[](_rows.length);
        for (uint256 i; i < rows.length; i++) {
            rows[i] = abi.decode(_rows[i], (Row));
        }
    }

    function tableAnswers(Row memory row) public {
        for (uint256 i; i < row.before.length; i++) {
            (bool prepared,) = perform(row.before[i]);
            assertTrue(prepared, string.concat(row.name, ": its preparation"));
        }
        uint256 balance = usdc.balanceOf(bob);
        (bool success, bytes memory answer) = perform(row.step);
        if (bytes(row.words).length == 0) {
            assertTrue(success, row.name);
            assertTrue(answer.length == 0 || abi.decode(answer, (bool)), row.name);
        } else {
            assertFalse(success, row.name);
            assertEq(answer, abi.encodeWithSignature("Error(string)", row.words), row.name);
        }
        assertEq(usdc.balanceOf(bob) - balance, row.moved, row.name);
    }

    /// @dev Number of rows that the table must have, so that none is lost unnoticed.
    function count() internal pure virtual returns (uint256);

    function test_EveryRowHasItsName() external view {
        assertEq(_rows.length, count());
        for (uint256 i; i < _rows.length; i++) {
            for (uint256 k = i + 1; k < _rows.length; k++) {
                string memory name = abi.decode(_rows[i], (Row)).name;
                assertNotEq(name, abi.decode(_rows[k], (Row)).name);
            }
        }
    }

    // --- Rows ---

    function accepted(string memory name, Step memory step, uint256 moved) internal {
        add(Row(name, none(), step, "", moved));
    }

    function accepted(string memory name, Step memory before, Step memory step, uint256 moved) internal {
        add(Row(name, one(before), step, "", moved));
    }

    function accepted(string memory name, Step[] memory before, Step memory step, uint256 moved) internal {
        add(Row(name, before, step, "", moved));
    }

    function refused(string memory name, Step memory step, string memory words) internal {
        add(Row(name, none(), step, words, 0));
    }

    function refused(string memory name, Step memory before, Step memory step, string memory words) internal {
        add(Row(name, one(before), step, words, 0));
    }

    function refused(string memory name, Step[] memory before, Step memory step, string memory words) internal {
        add(Row(name, before, step, words, 0));
    }

    function add(Row memory row) private {
        _rows.push(abi.encode(row));
    }

    // --- Steps ---

    function by(address caller, bytes memory data) internal pure returns (Step memory) {
        return Step(caller, 0, data);
    }

    /// @dev The administrator of the token, who is its only minter.
    function byAdmin(bytes memory data) internal view returns (Step memory) {
        return Step(address(this), 0, data);
    }

    function at(uint256 time, Step memory step) internal pure returns (Step memory) {
        return Step(step.caller, time, step.data);
    }

    function one(Step memory step) internal pure returns (Step[] memory steps) {
        steps = new Step[](1);
        steps[0] = step;
    }

    function two(Step memory first, Step memory second) internal pure returns (Step[] memory steps) {
        steps = new Step[](2);
        (steps[0], steps[1]) = (first, second);
    }

    function none() private pure returns (Step[] memory) {
        return new Step[](0);
    }

    function perform(Step memory step) private returns (bool, bytes memory) {
        if (step.time > 0) vm.warp(step.time);
        vm.prank(step.caller);
        return address(usdc).call(step.data);
    }

    function blacklist(address account) internal view returns (Step memory) {
        return byAdmin(abi.encodeCall(usdc.blacklist, (account)));
    }

    function pause() internal view returns (Step memory) {
        return byAdmin(abi.encodeCall(usdc.pause, ()));
    }

    // --- Signatures ---

    function sign(bytes32 structHash) internal view returns (bytes memory) {
        return signAs(key, structHash);
    }

    function signAs(uint256 signer, bytes32 structHash) internal view returns (bytes memory) {
        return Relay.signDigest(signer, MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash));
    }

    function wallet(ScriptedWallet.Answer answer) internal returns (address account) {
        account = address(new ScriptedWallet(answer));
        usdc.mint(account, 1000);
    }

    /// @dev The other signature that recovers to the same key: s in the upper half.
    function mirrored(bytes memory signature) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = parts(signature);
        return abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
    }

    /// @dev Returns a signature whose last byte is 0 or 1 instead of 27 or 28.
    function withSmallV(bytes memory signature) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = parts(signature);
        return abi.encodePacked(r, s, v - 27);
    }

    function withV(bytes memory signature, uint8 v) internal pure returns (bytes memory) {
        (, bytes32 r, bytes32 s) = parts(signature);
        return abi.encodePacked(r, s, v);
    }

    function parts(bytes memory signature) internal pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
