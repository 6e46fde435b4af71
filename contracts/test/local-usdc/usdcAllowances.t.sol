// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {UsdcTable} from "./UsdcTable.sol";

/// @notice Allowances and plain transfers.
contract UsdcAllowancesTest is UsdcTable {
    uint256 private constant MAX = type(uint256).max;
    string private constant BELOW_ZERO = "ERC20: decreased allowance below zero";
    string private constant OVERFLOW = "SafeMath: addition overflow";

    function count() internal pure override returns (uint256) {
        return 30;
    }

    function setUp() public override {
        super.setUp();
        addTransfers();
        addTaking();
        addChanges();
    }

    function addTransfers() private {
        accepted("some", give(bob, 10), 10);
        accepted("nothing", give(bob, 0), 0);
        accepted("everything", give(bob, 1000), 1000);
        refused("more than everything", give(bob, 1001), BALANCE);
        refused("to the zero address", give(address(0), 1), "ERC20: transfer to the zero address");
        refused("to the token, which is blacklisted", give(address(usdc), 1), BLACKLISTED);
        refused("from the zero address", by(address(0), give(bob, 0).data), "ERC20: transfer from the zero address");
        accepted("everything to oneself", give(alice, 1000), 0);
        refused("more than everything to oneself", give(alice, 1001), BALANCE);
    }

    function addTaking() private {
        accepted("within the allowance", approve(10), take(9), 9);
        accepted("all of the allowance", approve(10), take(10), 10);
        refused("more than the allowance", approve(10), take(11), ALLOWANCE);
        refused("without an allowance", take(1), ALLOWANCE);
        accepted("nothing without an allowance", take(0), 0);
        refused("the allowance a second time", two(approve(10), take(10)), take(1), ALLOWANCE);
        accepted("what is left of the allowance", two(approve(10), take(4)), take(6), 6);
        refused("more than is left of the allowance", two(approve(10), take(4)), take(7), ALLOWANCE);
        refused("more than the balance within the allowance", approve(2000), take(1001), BALANCE);
        refused("more than balance and allowance", approve(1), take(1001), ALLOWANCE);
        refused("one's own money without an allowance", by(alice, take(1).data), ALLOWANCE);
        // Lowered by 10, so 10 more fit in and 11 do not: the largest allowance is an amount like any other.
        accepted("an unlimited allowance is lowered", two(approve(MAX), take(10)), increase(10), 0);
        refused("an unlimited allowance is lowered by no more", two(approve(MAX), take(10)), increase(11), OVERFLOW);
    }

    function addChanges() private {
        accepted("an increased allowance", two(approve(10), increase(5)), take(15), 15);
        accepted("a decreased allowance", two(approve(10), decrease(4)), take(6), 6);
        refused("more than a decreased allowance", two(approve(10), decrease(4)), take(7), ALLOWANCE);
        refused("a decrease below zero", approve(10), decrease(11), BELOW_ZERO);
        accepted("a replaced allowance", two(approve(10), approve(3)), take(3), 3);
        refused("more than a replaced allowance", two(approve(10), approve(3)), take(4), ALLOWANCE);
        bytes memory toZeroAddress = abi.encodeCall(usdc.approve, (address(0), 1));
        refused("approval of the zero address", by(alice, toZeroAddress), "ERC20: approve to the zero address");
        refused("approval by the zero address", by(address(0), approve(1).data), "ERC20: approve from the zero address");
    }

    function give(address to, uint256 value) private view returns (Step memory) {
        return by(alice, abi.encodeCall(usdc.transfer, (to, value)));
    }

    function take(uint256 value) private view returns (Step memory) {
        return by(bob, abi.encodeCall(usdc.transferFrom, (alice, bob, value)));
    }

    function approve(uint256 value) private view returns (Step memory) {
        return by(alice, abi.encodeCall(usdc.approve, (bob, value)));
    }

    function increase(uint256 value) private view returns (Step memory) {
        return by(alice, abi.encodeCall(usdc.increaseAllowance, (bob, value)));
    }

    function decrease(uint256 value) private view returns (Step memory) {
        return by(alice, abi.encodeCall(usdc.decreaseAllowance, (bob, value)));
    }
}
