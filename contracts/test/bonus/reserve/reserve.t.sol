// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IBonusHook} from "../../../src/interfaces/IBonusHook.sol";
import {BonusTest} from "../support/BonusTest.sol";
import {HostileToken} from "../../support/HostileToken.sol";

contract ReserveTest is BonusTest {
    event ReserveFunded(address indexed from, uint256 amount);
    event ReserveTaken(address indexed to, uint256 amount);

    /// when any account funds the reserve: it adds what arrives
    function test_Funds() external {
        token.mint(bob, 5);
        vm.startPrank(bob);
        token.approve(address(bonus), 5);
        vm.expectEmit(address(bonus));
        emit ReserveFunded(bob, 5);
        assertEq(bonus.fundReserve(5), 5);
        assertEq(bonus.available(), RESERVE + 5);
    }

    /// when any account funds the reserve: it counts what a token with a fee delivers
    function test_CountsWhatArrives() external {
        HostileToken hostile = new HostileToken();
        bonus = deployBonus(address(hostile));
        hostile.script(HostileToken.Behaviour.Fee);
        hostile.mint(bob, 100);
        vm.startPrank(bob);
        hostile.approve(address(bonus), 100);
        assertEq(bonus.fundReserve(100), 90);
        assertEq(bonus.available(), 90);
    }

    /// when tokens are sent without a call: it counts them as reserve
    function test_CountsDonations() external {
        token.mint(address(bonus), 7);
        assertEq(bonus.available(), RESERVE + 7);
    }

    /// when the owner takes from the reserve: it sends what no account can claim
    function test_TakesTheSurplus() external {
        finish(createBounty());
        uint256 surplus = RESERVE - WORKER_TOKENS - REQUESTER_TOKENS;
        vm.prank(owner);
        vm.expectEmit(address(bonus));
        emit ReserveTaken(owner, surplus);
        bonus.takeReserve(owner, surplus);
        assertEq(token.balanceOf(owner), surplus);
        assertEq(bonus.available(), 0);
        vm.prank(alice);
        bonus.withdraw(alice);
        vm.prank(requester);
        bonus.withdraw(requester);
        assertEq(token.balanceOf(address(bonus)), 0);
    }

    /// when the owner takes from the reserve: it reverts with AboveAvailable beyond that
    function test_RevertWhen_TakingWhatIsClaimable() external {
        finish(createBounty());
        uint256 surplus = RESERVE - WORKER_TOKENS - REQUESTER_TOKENS;
        vm.prank(owner);
        expectError(IBonusHook.AboveAvailable.selector, surplus + 1, surplus);
        bonus.takeReserve(owner, surplus + 1);
    }

    /// when the owner takes to an address that would keep them for ever: it reverts with InvalidDestination
    function test_RevertWhen_TakingToZeroAddress() external {
        vm.prank(owner);
        expectError(IBonusHook.InvalidDestination.selector, address(0));
        bonus.takeReserve(address(0), 1);
    }

    /// when another account takes: it reverts
    function test_RevertWhen_AnotherAccountTakes() external {
        vm.prank(alice);
        expectError(Ownable.OwnableUnauthorizedAccount.selector, alice);
        bonus.takeReserve(alice, 1);
    }
}
