// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Conditions under which a hostile contract refuses, by the number that tests use
library Refusals {
    /// @dev `Priced`: refuses in a transaction that pays for gas, and accepts in a simulation that does not.
    /// `EvenBlocks`: refuses in blocks of an even number. `Mined`: accepts in every simulation of the service, which
    /// gives the sender code for its measure, and refuses in a transaction of an account without code.
    enum Refusal {
        Never,
        Always,
        Priced,
        EvenBlocks,
        Mined
    }

    /// @param refusal A `Refusal`, as a test wrote it to storage.
    function refuses(uint256 refusal) internal view returns (bool) {
        if (refusal == uint256(Refusal.Always)) return true;
        if (refusal == uint256(Refusal.Priced)) return tx.gasprice != 0;
        if (refusal == uint256(Refusal.EvenBlocks)) return block.number % 2 == 0;
        // solhint-disable-next-line avoid-tx-origin
        if (refusal == uint256(Refusal.Mined)) return tx.gasprice != 0 && tx.origin.code.length == 0;
        return false;
    }

    /// @dev Uses all gas of the call up.
    function burn() internal pure {
        while (true) {}
    }
}
