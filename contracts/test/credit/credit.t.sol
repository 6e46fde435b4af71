// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract CreditTest is MarketTest {
    string private constant BLACKLISTED = "Blacklistable: account is blacklisted";

    /// when withdrawing without a credit: it reverts with NoCredit
    function test_RevertWhen_WithdrawingNothing() external {
        vm.prank(alice);
        expectError(ITaskMarket.NoCredit.selector, alice);
        market.withdrawCredit(alice);
    }

    /// when withdrawing to the zero address: it reverts with ZeroAddress
    function test_RevertWhen_WithdrawingToZeroAddress() external {
        createCredit();
        vm.prank(requester);
        expectError(ITaskMarket.ZeroAddress.selector);
        market.withdrawCredit(address(0));
    }

    /// when withdrawing to the market or its forwarder: it reverts with InvalidRecipient
    function test_RevertWhen_WithdrawingToTheMarketOrItsForwarder() external {
        createCredit();
        address[] memory unowned = asList(address(market), address(forwarder));
        for (uint256 i; i < unowned.length; i++) {
            vm.prank(requester);
            expectError(ITaskMarket.InvalidRecipient.selector, unowned[i]);
            market.withdrawCredit(unowned[i]);
        }
    }

    /// when withdrawing to an account that cannot receive: it reverts as USDC does and keeps the credit
    function test_RevertWhen_WithdrawingToABlockedAccount() external {
        createCredit();
        usdc.blacklist(alice);
        vm.prank(requester);
        vm.expectRevert(bytes(BLACKLISTED));
        market.withdrawCredit(alice);
        assertEq(market.creditOf(requester), REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when withdrawing a credit: it pays the whole credit to any address
    function test_Withdraws() external {
        createCredit();
        usdc.blacklist(requester);
        vm.prank(requester);
        market.withdrawCredit(alice);
        assertEq(usdc.balanceOf(alice), REWARD);
        assertEq(market.creditOf(requester), 0);
        assertEq(market.totalEscrow(), 0);
        assertEq(usdc.balanceOf(address(market)), 0);
    }

    /// when withdrawing a credit: it logs the withdrawal
    function test_LogsTheWithdrawal() external {
        createCredit();
        expectLog();
        emit CreditWithdrawn(requester, alice, REWARD);
        vm.prank(requester);
        market.withdrawCredit(alice);
    }

    /// when withdrawing through the forwarder: it pays the payer's credit
    function test_WithdrawsThroughTheForwarder() external {
        createCredit();
        allowPaid(ITaskMarket.withdrawCredit.selector);
        relayPaid(requesterKey, 1000, 0, abi.encodeCall(market.withdrawCredit, (alice)));
        assertEq(usdc.balanceOf(alice), REWARD);
    }

    /// when withdrawing with no actor: it reverts with ActorRequired
    function test_RevertWhen_NoAccountWithdraws() external {
        vm.prank(address(forwarder));
        expectError(ITaskMarket.ActorRequired.selector);
        market.withdrawCredit(alice);
    }

    /// when pushing without a credit: it reverts with NoCredit
    function test_RevertWhen_PushingNothing() external {
        expectError(ITaskMarket.NoCredit.selector, alice);
        market.pushCredit(alice);
    }

    /// when pushing a credit: it pays the account whichever account calls
    function test_Pushes() external {
        uint256 before = usdc.balanceOf(requester);
        createCredit();
        expectLog();
        emit CreditWithdrawn(requester, requester, REWARD);
        vm.prank(stranger);
        market.pushCredit(requester);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.totalEscrow(), 0);
    }

    /// when pushing to an account that still cannot receive: it reverts as USDC does and keeps the credit
    function test_RevertWhen_PushingToABlockedAccount() external {
        createCredit();
        usdc.blacklist(requester);
        vm.expectRevert(bytes(BLACKLISTED));
        market.pushCredit(requester);
        assertEq(market.creditOf(requester), REWARD);
    }

    /// given entries are paused: it pays credits
    function test_PaysWhilePaused() external {
        createCredit();
        vm.prank(owner);
        market.pause();
        market.pushCredit(requester);
        assertEq(market.totalEscrow(), 0);
    }

    /// given several payouts were deferred: it adds them up
    function test_AddsUp() external {
        createCredit();
        createCredit();
        assertEq(market.creditOf(requester), 2 * REWARD);
        market.pushCredit(requester);
        assertEq(market.creditOf(requester), 0);
    }
}
