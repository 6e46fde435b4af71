// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Multicall3 for the local chain: several calls in one
/// @notice Contains the functions of the deployed Multicall3 (0xcA11bde05977b3631167028862bE2a173976CA11) that clients
/// use for batches of reads.
contract LocalMulticall3 {
    /// @notice A call of `aggregate` or `tryAggregate`.
    /// @param target Contract that is called.
    /// @param callData The encoded call.
    struct Call {
        address target;
        bytes callData;
    }

    /// @notice A call of `aggregate3`.
    /// @param target Contract that is called.
    /// @param allowFailure Whether the batch continues if this call fails.
    /// @param callData The encoded call.
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    /// @notice A call of `aggregate3Value`, with ether.
    /// @param target Contract that is called.
    /// @param allowFailure Whether the batch continues if this call fails.
    /// @param value Ether that is sent with the call, in wei.
    /// @param callData The encoded call.
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    /// @notice The result of a call.
    /// @param success Whether the call succeeded.
    /// @param returnData Return data of the call, or revert data if the call failed.
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice Makes calls. If one call fails, the whole batch reverts.
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

    /// @notice Makes calls. If one call fails and `requireSuccess` is true, the whole batch reverts.
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

    /// @notice Makes calls. If a call fails and its `allowFailure` is false, the whole batch reverts.
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            results[i] = _call(calls[i].target, 0, calls[i].callData, !calls[i].allowFailure);
        }
    }

    /// @notice Makes calls with ether. If a call fails and its `allowFailure` is false, the whole batch reverts.
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        uint256 total;
        for (uint256 i; i < calls.length; i++) {
            total += calls[i].value;
            results[i] = _call(calls[i].target, calls[i].value, calls[i].callData, !calls[i].allowFailure);
        }
        require(msg.value == total, "Multicall3: value mismatch");
    }

    /// @notice Returns the number of the block in which the call runs.
    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    /// @notice Returns the hash of one of the last 256 blocks; zero for all other block numbers.
    function getBlockHash(uint256 blockNumber) external view returns (bytes32) {
        return blockhash(blockNumber);
    }

    /// @notice Returns the hash of the block before the block in which the call runs.
    function getLastBlockHash() external view returns (bytes32) {
        return blockhash(block.number - 1);
    }

    /// @notice Returns the time of the block in which the call runs, in Unix seconds.
    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    /// @notice Returns the gas limit of the block in which the call runs.
    function getCurrentBlockGasLimit() external view returns (uint256) {
        return block.gaslimit;
    }

    /// @notice Returns the account that receives the fees of the block in which the call runs.
    function getCurrentBlockCoinbase() external view returns (address) {
        return block.coinbase;
    }

    /// @notice Returns the base fee of the block in which the call runs, in wei per unit of gas.
    function getBasefee() external view returns (uint256) {
        return block.basefee;
    }

    /// @notice Returns the chain id.
    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    /// @notice Returns the balance of an account in wei.
    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    /// @dev Makes one call. Reverts if the call fails and `required` is true.
    function _call(address target, uint256 value, bytes calldata data, bool required)
        private
        returns (Result memory result)
    {
        (result.success, result.returnData) = target.call{value: value}(data);
        require(result.success || !required, "Multicall3: call failed");
    }
}
