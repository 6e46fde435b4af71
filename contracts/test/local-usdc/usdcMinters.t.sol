// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {UsdcTable} from "./UsdcTable.sol";

/// @notice Rights and amounts of minters. The administrator is the master minter; carol mints up to 100.
contract UsdcMintersTest is UsdcTable {
    string private constant NOT_MINTER = "FiatToken: caller is not a minter";
    string private constant NOT_MASTER = "FiatToken: caller is not the masterMinter";
    string private constant EXCEEDS = "FiatToken: mint amount exceeds minterAllowance";
    string private constant TOO_LARGE = "FiatTokenV2_2: Balance exceeds (2^255 - 1)";
    uint256 private constant HALF = 1 << 255;

    function count() internal pure override returns (uint256) {
        return 30;
    }

    function setUp() public override {
        super.setUp();
        usdc.configureMinter(carol, 100);
        addMints();
        addLargeMints();
        addBurns();
        addMinters();
    }

    function addMints() private {
        accepted("within the allowance", mint(carol, bob, 99), 99);
        accepted("all of the allowance", mint(carol, bob, 100), 100);
        refused("more than the allowance", mint(carol, bob, 101), EXCEEDS);
        accepted("what is left of the allowance", mint(carol, bob, 60), mint(carol, bob, 40), 40);
        refused("more than is left of the allowance", mint(carol, bob, 60), mint(carol, bob, 41), EXCEEDS);
        refused("by another than a minter", mint(alice, bob, 1), NOT_MINTER);
        refused("nothing", mint(carol, bob, 0), "FiatToken: mint amount not greater than 0");
        refused("to the zero address", mint(carol, address(0), 1), "FiatToken: mint to the zero address");
        refused("nothing to the zero address", mint(carol, address(0), 0), "FiatToken: mint to the zero address");
        refused("to a blacklisted account", blacklist(bob), mint(carol, bob, 1), BLACKLISTED);
        refused("by a blacklisted minter", blacklist(carol), mint(carol, bob, 1), BLACKLISTED);
        refused("to a blacklisted account by another than a minter", blacklist(bob), mint(alice, bob, 1), NOT_MINTER);
        refused("to the token, which is blacklisted", mint(carol, address(usdc), 1), BLACKLISTED);
    }

    function addLargeMints() private {
        accepted("the largest balance", mint(address(this), bob, HALF - 1), HALF - 1);
        refused("one more than the largest balance", mint(address(this), bob, HALF), TOO_LARGE);
        // With the 2000 there were, one less than the largest supply.
        Step[] memory full = two(mint(address(this), carol, HALF - 1001), mint(address(this), bob, HALF - 1001));
        accepted("the largest supply", full, mint(carol, bob, 1), 1);
        refused("one more than the largest supply", full, mint(carol, bob, 2), "SafeMath: addition overflow");
    }

    function addBurns() private {
        accepted("burning all", burn(carol, 1000), 0);
        refused("burning more than all", burn(carol, 1001), "FiatToken: burn amount exceeds balance");
        refused("burning nothing", burn(carol, 0), "FiatToken: burn amount not greater than 0");
        refused("burning by another than a minter", burn(alice, 1), NOT_MINTER);
        refused("burning by a blacklisted minter", blacklist(carol), burn(carol, 1), BLACKLISTED);
        refused("burning by a blacklisted account that is no minter", blacklist(alice), burn(alice, 1), NOT_MINTER);
    }

    function addMinters() private {
        accepted("by a new minter", configure(alice, 5), mint(alice, bob, 5), 5);
        accepted("a new allowance replaces the old", configure(carol, 7), mint(carol, bob, 7), 7);
        refused("no more than a new allowance", configure(carol, 7), mint(carol, bob, 8), EXCEEDS);
        refused("by a minter without allowance", configure(carol, 0), mint(carol, bob, 1), EXCEEDS);
        Step memory removal = byAdmin(abi.encodeCall(usdc.removeMinter, (carol)));
        refused("by a removed minter", removal, mint(carol, bob, 1), NOT_MINTER);
        refused("configuration by a stranger", by(carol, configure(carol, 1).data), NOT_MASTER);
        refused("removal by a stranger", by(alice, removal.data), NOT_MASTER);
    }

    function mint(address minter, address to, uint256 amount) private view returns (Step memory) {
        return by(minter, abi.encodeCall(usdc.mint, (to, amount)));
    }

    function burn(address minter, uint256 amount) private view returns (Step memory) {
        return by(minter, abi.encodeCall(usdc.burn, (amount)));
    }

    function configure(address minter, uint256 allowance) private view returns (Step memory) {
        return byAdmin(abi.encodeCall(usdc.configureMinter, (minter, allowance)));
    }
}
