// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {FiatTokenRoles} from "../../src/local/FiatTokenRoles.sol";
import {LocalNamedUsdc} from "../../src/local/LocalNamedUsdc.sol";
import {LocalFiatToken} from "../../src/local/LocalFiatToken.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {CompiledCode} from "../support/CompiledCode.sol";
import {Relay} from "../support/Relay.sol";

/// @notice Metadata, balances and logs. The tables beside this file have what it accepts and refuses.
contract LocalUsdcTest is CompiledCode {
    LocalUsdc internal usdc = LocalUsdc(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
    uint256 internal key = 0xA11CE;
    address internal alice = vm.addr(key);
    address internal bob = makeAddr("bob");
    uint256 internal start;
    uint256 internal end;

    function setUp() external {
        deployTo("LocalUsdc", address(usdc));
        usdc.initialize(address(this));
        usdc.configureMinter(address(this), 1e12);
        usdc.mint(alice, 1000);
        (start, end) = (block.timestamp - 1, block.timestamp + 100);
    }

    /// when asked for its identity: it answers as USDC on Base does
    function test_Identity() external view {
        assertEq(usdc.name(), "USD Coin");
        assertEq(usdc.symbol(), "USDC");
        assertEq(usdc.version(), "2");
        assertEq(usdc.currency(), "USD");
        assertEq(usdc.decimals(), 6);
        assertEq(usdc.DOMAIN_SEPARATOR(), 0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f);
        assertEq(
            usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
            0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267
        );
        assertEq(
            usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8
        );
        assertEq(
            usdc.CANCEL_AUTHORIZATION_TYPEHASH(), 0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429
        );
        assertEq(usdc.PERMIT_TYPEHASH(), 0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9);
    }

    /// when asked for its identity: it answers as USDC on Base Sepolia does, by the name that it is given once
    function test_IdentityOfBaseSepolia() external {
        LocalNamedUsdc named = LocalNamedUsdc(0x036CbD53842c5426634e7929541eC2318f3dCF7e);
        deployTo("LocalNamedUsdc", address(named));
        named.setName("USDC");
        vm.chainId(84532);
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(typeHash, keccak256("USDC"), keccak256("2"), 84532, address(named)));
        assertEq(named.name(), "USDC");
        assertEq(named.DOMAIN_SEPARATOR(), domain);
        vm.expectRevert("LocalNamedUsdc: it has a name already");
        named.setName("USD Coin");
    }

    /// when initialized: it gives all roles once
    function test_InitializesOnce() external {
        assertEq(usdc.owner(), address(this));
        assertEq(usdc.masterMinter(), address(this));
        assertEq(usdc.pauser(), address(this));
        assertEq(usdc.blacklister(), address(this));
        assertTrue(usdc.isBlacklisted(address(usdc)));
        vm.expectRevert("FiatToken: contract is already initialized");
        usdc.initialize(bob);
    }

    /// when initialized: it refuses the zero address as owner
    function test_RefusesZeroAddressAsOwner() external {
        LocalUsdc fresh = LocalUsdc(deploy("LocalUsdc", ""));
        vm.expectRevert("FiatToken: new owner is the zero address");
        fresh.initialize(address(0));
    }

    /// when authorizations are transferred: it moves the money and logs the use
    function test_TransfersByAuthorization() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.AuthorizationUsed(alice, "n");
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Transfer(alice, bob, 10);
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
        assertTrue(usdc.authorizationState(alice, "n"));
        assertFalse(usdc.authorizationState(bob, "n"));
    }

    /// when authorizations are received: it moves the money and logs the use
    function test_ReceivesByAuthorization() external {
        bytes memory signature = signReceive(alice, bob, 10, "n");
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.AuthorizationUsed(alice, "n");
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Transfer(alice, bob, 10);
        vm.prank(bob);
        usdc.receiveWithAuthorization(alice, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
        assertTrue(usdc.authorizationState(alice, "n"));
    }

    /// when authorizations are cancelled: it uses the nonce up and logs it
    function test_Cancels() external {
        bytes memory cancellation = signCancel(alice, "n");
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.AuthorizationCanceled(alice, "n");
        usdc.cancelAuthorization(alice, "n", cancellation);
        assertTrue(usdc.authorizationState(alice, "n"));
        assertFalse(usdc.authorizationState(bob, "n"));
    }

    /// when permits are given: it sets the allowance and counts the nonce
    function test_Permits() external {
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Approval(alice, bob, 77);
        usdc.permit(alice, bob, 77, end, signPermit(77, 0, end));
        assertEq(usdc.allowance(alice, bob), 77);
        assertEq(usdc.nonces(alice), 1);
        usdc.permit(alice, bob, 78, type(uint256).max, signPermit(78, 1, type(uint256).max));
        assertEq(usdc.allowance(alice, bob), 78);
    }

    /// when money is transferred: it moves and logs
    function test_Transfers() external {
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Transfer(alice, bob, 10);
        vm.prank(alice);
        assertTrue(usdc.transfer(bob, 10));
        assertEq(usdc.balanceOf(alice), 990);
        assertEq(usdc.balanceOf(bob), 10);
        vm.prank(alice);
        assertTrue(usdc.transfer(alice, 990));
        assertEq(usdc.balanceOf(alice), 990);
    }

    /// when money is transferred: it lowers every allowance
    function test_LowersAllowances() external {
        vm.prank(alice);
        usdc.approve(bob, type(uint256).max);
        vm.prank(bob);
        assertTrue(usdc.transferFrom(alice, bob, 10));
        assertEq(usdc.allowance(alice, bob), type(uint256).max - 10);
        assertEq(usdc.balanceOf(bob), 10);
    }

    /// when allowances change: it logs every change
    function test_ChangesAllowances() external {
        vm.startPrank(alice);
        expectApproval(10);
        assertTrue(usdc.approve(bob, 10));
        expectApproval(15);
        assertTrue(usdc.increaseAllowance(bob, 5));
        expectApproval(14);
        assertTrue(usdc.decreaseAllowance(bob, 1));
        assertEq(usdc.allowance(alice, bob), 14);
    }

    /// when money is minted and burned: it knows its minters
    function test_KnowsItsMinters() external {
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.MinterConfigured(bob, 5);
        assertTrue(usdc.configureMinter(bob, 5));
        assertTrue(usdc.isMinter(bob));
        assertEq(usdc.minterAllowance(bob), 5);
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.MinterRemoved(bob);
        assertTrue(usdc.removeMinter(bob));
        assertFalse(usdc.isMinter(bob));
        assertEq(usdc.minterAllowance(bob), 0);
    }

    /// when money is minted and burned: it keeps the supply and logs both
    function test_KeepsTheSupply() external {
        assertEq(usdc.totalSupply(), 1000);
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Mint(address(this), address(this), 50);
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Transfer(address(0), address(this), 50);
        assertTrue(usdc.mint(address(this), 50));
        assertEq(usdc.totalSupply(), 1050);
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Burn(address(this), 20);
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Transfer(address(this), address(0), 20);
        usdc.burn(20);
        assertEq(usdc.totalSupply(), 1030);
        assertEq(usdc.balanceOf(address(this)), 30);
        assertEq(usdc.minterAllowance(address(this)), 1e12 - 1050);
    }

    /// when an account is blacklisted: it keeps its balance and its flag apart
    function test_Blacklists() external {
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.Blacklisted(alice);
        usdc.blacklist(alice);
        assertTrue(usdc.isBlacklisted(alice));
        assertEq(usdc.balanceOf(alice), 1000);
    }

    /// when an account is blacklisted: it moves again when taken off
    function test_UnBlacklists() external {
        usdc.blacklist(alice);
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.UnBlacklisted(alice);
        usdc.unBlacklist(alice);
        assertFalse(usdc.isBlacklisted(alice));
        assertEq(usdc.balanceOf(alice), 1000);
        vm.prank(alice);
        usdc.transfer(bob, 1000);
        assertEq(usdc.balanceOf(bob), 1000);
    }

    /// when paused: it logs pause and end
    function test_Pauses() external {
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.Pause();
        usdc.pause();
        assertTrue(usdc.paused());
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.Unpause();
        usdc.unpause();
        assertFalse(usdc.paused());
    }

    /// when roles are missing: it refuses with the words of USDC
    function test_RefusesWithoutRole() external {
        vm.startPrank(bob);
        vm.expectRevert("Pausable: caller is not the pauser");
        usdc.pause();
        vm.expectRevert("Pausable: caller is not the pauser");
        usdc.unpause();
        vm.expectRevert("Blacklistable: caller is not the blacklister");
        usdc.blacklist(alice);
        vm.expectRevert("Blacklistable: caller is not the blacklister");
        usdc.unBlacklist(alice);
        vm.expectRevert("FiatToken: caller is not the masterMinter");
        usdc.configureMinter(bob, 1);
        vm.expectRevert("FiatToken: caller is not the masterMinter");
        usdc.removeMinter(address(this));
    }

    function expectApproval(uint256 value) private {
        vm.expectEmit(address(usdc));
        emit LocalFiatToken.Approval(alice, bob, value);
    }

    function signTransfer(address from, address to, uint256 value, bytes32 nonce) private view returns (bytes memory) {
        bytes32 typehash = usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH();
        return sign(keccak256(abi.encode(typehash, from, to, value, start, end, nonce)));
    }

    function signReceive(address from, address to, uint256 value, bytes32 nonce) private view returns (bytes memory) {
        bytes32 typehash = usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
        return sign(keccak256(abi.encode(typehash, from, to, value, start, end, nonce)));
    }

    function signCancel(address authorizer, bytes32 nonce) private view returns (bytes memory) {
        return sign(keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), authorizer, nonce)));
    }

    function signPermit(uint256 value, uint256 nonce, uint256 deadline) private view returns (bytes memory) {
        return sign(keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), alice, bob, value, nonce, deadline)));
    }

    function sign(bytes32 structHash) private view returns (bytes memory) {
        return Relay.signDigest(key, MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash));
    }
}
