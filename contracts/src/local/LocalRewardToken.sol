// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The reward token of a local chain
/// @notice An ERC-20 token with 18 decimals that the owner can mint. On any other chain the deployment names an
/// existing token.
contract LocalRewardToken is ERC20, Ownable {
    /// @param owner Account that may mint.
    constructor(address owner) ERC20("Local Reward", "REWARD") Ownable(owner) {}

    /// @notice Mints tokens to `to`. Only the owner may call.
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
