// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {TaskMarket} from "../../src/TaskMarket.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract AdministrationTest is MarketTest {
    /// when another than the owner calls: it reverts with OwnableUnauthorizedAccount for every setting
    function test_RevertWhen_NotOwner() external {
        bytes[] memory calls = new bytes[](8);
        calls[0] = abi.encodeCall(market.setFeeBps, (1));
        calls[1] = abi.encodeCall(market.setFeeRecipient, (stranger));
        calls[2] = abi.encodeCall(market.setRegistries, (stranger, stranger));
        calls[3] = abi.encodeCall(market.setDefaultHooks, (new address[](0)));
        calls[4] = abi.encodeCall(market.pause, ());
        calls[5] = abi.encodeCall(market.unpause, ());
        calls[6] = abi.encodeCall(market.sweepExcess, (stranger));
        calls[7] = abi.encodeCall(market.transferOwnership, (stranger));
        for (uint256 i; i < calls.length; i++) {
            vm.prank(stranger);
            (bool success, bytes memory reason) = address(market).call(calls[i]);
            assertFalse(success);
            assertEq(reason, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        }
    }

    /// when the fee exceeds 2000 basis points: it reverts with FeeTooHigh
    function test_RevertWhen_FeeTooHigh() external {
        vm.prank(owner);
        expectError(ITaskMarket.FeeTooHigh.selector, 2001, 2000);
        market.setFeeBps(2001);
    }

    /// when the fee is set: it holds for future tasks and is logged
    function test_SetsTheFee() external {
        expectLog();
        emit FeeUpdated(2000);
        vm.prank(owner);
        market.setFeeBps(2000);
        assertEq(market.feeBps(), 2000);
        assertEq(market.getTask(createBounty()).feeBps, 2000);
    }

    /// when the fee recipient is the zero address: it reverts with ZeroAddress
    function test_RevertWhen_FeeRecipientIsZeroAddress() external {
        vm.prank(owner);
        expectError(ITaskMarket.ZeroAddress.selector);
        market.setFeeRecipient(address(0));
    }

    /// when the fee recipient is the market or its forwarder: it reverts with InvalidRecipient
    function test_RevertWhen_FeeRecipientCannotSpend() external {
        address[] memory recipients = asList(address(market), address(forwarder));
        for (uint256 i; i < recipients.length; i++) {
            vm.prank(owner);
            expectError(ITaskMarket.InvalidRecipient.selector, recipients[i]);
            market.setFeeRecipient(recipients[i]);
        }
    }

    /// when the fee recipient is set: it receives from then on and is logged
    function test_SetsTheFeeRecipient() external {
        expectLog();
        emit FeeRecipientUpdated(bob);
        vm.prank(owner);
        market.setFeeRecipient(bob);
        assertEq(market.feeRecipient(), bob);
        createCompleted();
        assertEq(usdc.balanceOf(bob), REWARD * FEE_BPS / 10_000);
    }

    /// when the registries are set: it stores and logs them
    function test_SetsTheRegistries() external {
        expectLog();
        emit RegistryUpdated(alice, bob);
        vm.prank(owner);
        market.setRegistries(alice, bob);
        assertEq(market.identityRegistry(), alice);
        assertEq(market.reputationRegistry(), bob);
    }

    /// when default hooks are set: it logs an empty list
    function test_LogsNoDefaultHooks() external {
        expectLog();
        emit DefaultHooksSet(new address[](0));
        vm.prank(owner);
        market.setDefaultHooks(new address[](0));
        assertEq(market.defaultHooks().length, 0);
    }

    /// when paused and unpaused: it closes and opens entries and logs both
    function test_Pauses() external {
        expectLog();
        emit Paused(owner);
        vm.prank(owner);
        market.pause();
        assertTrue(market.paused());
        expectLog();
        emit Unpaused(owner);
        vm.prank(owner);
        market.unpause();
        assertFalse(market.paused());
        createBounty();
    }

    /// when sweeping to the zero address: it reverts with ZeroAddress
    function test_RevertWhen_SweepingToZeroAddress() external {
        usdc.mint(address(market), 1);
        vm.prank(owner);
        expectError(ITaskMarket.ZeroAddress.selector);
        market.sweepExcess(address(0));
    }

    /// when sweeping without excess: it reverts with NothingToSweep
    function test_RevertWhen_NoExcess() external {
        createBounty();
        createCredit();
        vm.prank(owner);
        expectError(ITaskMarket.NothingToSweep.selector);
        market.sweepExcess(owner);
    }

    /// when sweeping an excess: it takes exactly what exceeds the liabilities
    function test_SweepsTheExcess() external {
        createBounty();
        createCredit();
        usdc.mint(address(market), 5);
        expectLog();
        emit ExcessSwept(bob, 5);
        vm.prank(owner);
        market.sweepExcess(bob);
        assertEq(usdc.balanceOf(bob), 5);
        assertEq(usdc.balanceOf(address(market)), 2 * REWARD);
        assertEq(market.totalEscrow(), 2 * REWARD);
    }

    /// when ownership is transferred: it passes on when the new owner accepts
    function test_TransfersOwnershipInTwoSteps() external {
        vm.prank(owner);
        market.transferOwnership(alice);
        assertEq(market.owner(), owner);
        vm.prank(alice);
        market.acceptOwnership();
        assertEq(market.owner(), alice);
    }

    /// when constructed without an owner: it reverts with OwnableInvalidOwner
    function test_RevertWhen_NoOwner() external {
        TaskMarket.Setup memory setup = aSetup();
        setup.owner = address(0);
        expectError(Ownable.OwnableInvalidOwner.selector, address(0));
        this.deployApart("TaskMarket", abi.encode(setup));
    }

    /// when constructed without USDC, forwarder or fee recipient: it reverts with ZeroAddress
    function test_RevertWhen_SetupIncomplete() external {
        for (uint256 i; i < 3; i++) {
            TaskMarket.Setup memory setup = aSetup();
            if (i == 0) setup.usdc = address(0);
            if (i == 1) setup.forwarder = address(0);
            if (i == 2) setup.feeRecipient = address(0);
            expectError(ITaskMarket.ZeroAddress.selector);
            this.deployApart("TaskMarket", abi.encode(setup));
        }
    }

    /// when constructed with too high a fee: it reverts with FeeTooHigh
    function test_RevertWhen_SetupFeeTooHigh() external {
        TaskMarket.Setup memory setup = aSetup();
        setup.feeBps = 2001;
        expectError(ITaskMarket.FeeTooHigh.selector, 2001, 2000);
        this.deployApart("TaskMarket", abi.encode(setup));
    }

    /// when constructed: it shows its setup
    function test_ShowsItsSetup() external view {
        assertEq(market.owner(), owner);
        assertEq(market.usdc(), address(usdc));
        assertEq(market.forwarder(), address(forwarder));
        assertEq(market.feeRecipient(), feeRecipient);
        assertEq(market.feeBps(), FEE_BPS);
        assertEq(market.identityRegistry(), address(identity));
        assertEq(market.reputationRegistry(), address(reputation));
        assertEq(market.totalEscrow(), 0);
        assertEq(market.roundOf("any task"), 0);
        assertEq(market.getTask("any task").requester, address(0));
    }

    function aSetup() private view returns (TaskMarket.Setup memory) {
        return TaskMarket.Setup(
            owner, address(usdc), address(forwarder), feeRecipient, FEE_BPS, address(identity), address(reputation)
        );
    }
}
