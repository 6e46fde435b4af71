// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISponsoredVault} from "../../../src/interfaces/ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "../../../src/interfaces/ISponsoredVaultFactory.sol";
import {AnsweringToken} from "../support/AnsweringToken.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract CreateVaultTest is SponsoredTest {
    event VaultCreated(
        bytes32 indexed vaultId,
        address indexed owner,
        address indexed token,
        address vault,
        address hook,
        bytes32 salt,
        bytes name,
        bool hasName,
        bytes symbol,
        bool hasSymbol,
        uint8 decimals,
        bool hasDecimals
    );

    /// when the token tells what it is: it makes a vault at an address that follows from its id
    function test_Makes() external {
        bytes32 vaultId = keccak256(abi.encode(block.chainid, factory, sponsor, token, bytes32("other")));
        vm.prank(sponsor);
        ISponsoredVault made = factory.createVault(address(token), "other");
        assertEq(factory.vaultIdOf(sponsor, address(token), "other"), vaultId);
        assertEq(address(factory.vaultOf(vaultId)), address(made));
        assertEq(made.vaultId(), vaultId);
        assertEq(made.owner(), sponsor);
        assertEq(made.token(), address(token));
        assertEq(made.hook(), address(hook));
        assertEq(made.epoch(), 0);
        assertFalse(made.isCharger(address(hook)));
        assertEq(factory.hook(), address(hook));
        assertEq(factory.market(), address(market));
        assertEq(hook.market(), address(market));
    }

    /// when the token tells what it is: it logs name, symbol and decimals
    function test_Logs() external {
        expectTexts(address(token), "Hostile", "HOSTILE", 18, true);
    }

    /// when the token has bytes32 texts: it logs them without their zeros
    function test_Words() external {
        expectTexts(address(new AnsweringToken(abi.encode(bytes32("Maker")), 0)), "Maker", "Maker", 0, false);
    }

    /// when the token tells nothing: it logs that there is none
    function test_Nothing() external {
        expectTexts(address(market), "", "", 0, false);
    }

    /// when the token answers with too much, or burns its gas: it logs that there is none
    function test_TooMuch() external {
        expectTexts(address(new AnsweringToken(hex"00", 100_000)), "", "", 0, true);
        expectTexts(address(new AnsweringToken(abi.encode(string(new bytes(65))), 0)), "", "", 32, true);
        expectTexts(address(new AnsweringToken("", 0)), "", "", 0, false);
    }

    /// when the vault exists: it reverts with VaultExists
    function test_Exists() external {
        vm.startPrank(sponsor);
        vm.expectRevert(abi.encodeWithSelector(ISponsoredVaultFactory.VaultExists.selector, vault.vaultId()));
        factory.createVault(address(token), "main");
    }

    /// when the token has no code: it reverts with NotAToken
    function test_NoCode() external {
        expectError(ISponsoredVaultFactory.NotAToken.selector, stranger);
        factory.createVault(stranger, 0);
    }

    function expectTexts(address vaultToken, bytes memory name, bytes memory symbol, uint8 decimals, bool hasDecimals)
        private
    {
        bytes32 vaultId = factory.vaultIdOf(sponsor, vaultToken, "texts");
        // The address is the one thing that is not known before.
        vm.expectEmit(true, true, true, false, address(factory));
        emit VaultCreated(vaultId, sponsor, vaultToken, address(0), address(0), "", "", false, "", false, 0, false);
        vm.recordLogs();
        vm.prank(sponsor);
        ISponsoredVault made = factory.createVault(vaultToken, "texts");
        bytes memory data = vm.getRecordedLogs()[0].data;
        bytes memory expected = abi.encode(
            address(made),
            hook,
            bytes32("texts"),
            name,
            name.length > 0,
            symbol,
            symbol.length > 0,
            decimals,
            hasDecimals
        );
        assertEq(data, expected);
    }
}
