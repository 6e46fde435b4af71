// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The reward token of a local chain
/// @notice An ERC-20 with 18 decimals whose owner mints. A deployment elsewhere names the token that it rewards with.
contract LocalRewardToken is ERC20, Ownable {
    /// @param owner Account that may mint.
    constructor(address owner) ERC20("Local Reward", "REWARD") Ownable(owner) {}

    /// @notice Mints tokens (owner).
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
