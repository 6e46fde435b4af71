// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Many calls in one, for the local chain
/// @notice The functions of the contract at 0xcA11bde05977b3631167028862bE2a173976CA11 that clients batch reads with.
contract LocalMulticall3 {
    /// @notice A call that must succeed.
    /// @param target Contract that is called.
    /// @param callData Encoded call.
    struct Call {
        address target;
        bytes callData;
    }

    /// @notice A call that may fail.
    /// @param target Contract that is called.
    /// @param allowFailure Whether the batch goes on when it fails.
    /// @param callData Encoded call.
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    /// @notice A call with ether that may fail.
    /// @param target Contract that is called.
    /// @param allowFailure Whether the batch goes on when it fails.
    /// @param value Wei.
    /// @param callData Encoded call.
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    /// @notice The result of a call.
    /// @param success Whether it succeeded.
    /// @param returnData Its return or revert data.
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice Makes calls that must succeed.
    function aggregate(Call[] calldata calls)
        external
        payable
        returns (uint256 blockNumber, bytes[] memory returnData)
    {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            returnData[i] = _call(calls[i].target, 0, calls[i].callData, true).returnData;
        }
    }

    /// @notice Makes calls that may all fail, or none.
    function tryAggregate(bool requireSuccess, Call[] calldata calls)
        external
        payable
        returns (Result[] memory results)
    {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            results[i] = _call(calls[i].target, 0, calls[i].callData, requireSuccess);
        }
    }

    /// @notice Makes calls of which some may fail.
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            results[i] = _call(calls[i].target, 0, calls[i].callData, !calls[i].allowFailure);
        }
    }

    /// @notice Makes calls with ether of which some may fail.
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        uint256 total;
        for (uint256 i; i < calls.length; i++) {
            total += calls[i].value;
            results[i] = _call(calls[i].target, calls[i].value, calls[i].callData, !calls[i].allowFailure);
        }
        require(msg.value == total, "Multicall3: value mismatch");
    }

    /// @notice Returns the number of the block.
    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    /// @notice Returns the hash of one of the last 256 blocks; zero for others.
    function getBlockHash(uint256 blockNumber) external view returns (bytes32) {
        return blockhash(blockNumber);
    }

    /// @notice Returns the hash of the block before this one.
    function getLastBlockHash() external view returns (bytes32) {
        return blockhash(block.number - 1);
    }

    /// @notice Returns the time of the block, Unix seconds.
    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    /// @notice Returns the gas limit of the block.
    function getCurrentBlockGasLimit() external view returns (uint256) {
        return block.gaslimit;
    }

    /// @notice Returns the receiver of the block's fees.
    function getCurrentBlockCoinbase() external view returns (address) {
        return block.coinbase;
    }

    /// @notice Returns the base fee of the block, wei a unit of gas.
    function getBasefee() external view returns (uint256) {
        return block.basefee;
    }

    /// @notice Returns the chain id.
    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    /// @notice Returns the wei of an account.
    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    /// @dev Makes one call. Reverts when a required one fails.
    function _call(address target, uint256 value, bytes calldata data, bool required)
        private
        returns (Result memory result)
    {
        (result.success, result.returnData) = target.call{value: value}(data);
        require(result.success || !required, "Multicall3: call failed");
    }
}
