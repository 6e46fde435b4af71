import {
  type Abi,
  type Address,
  type ContractFunctionParameters,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  multicall3Abi,
  type PublicClient,
  size,
} from 'viem'

/**
 * The gas limit for reading a balance. It covers 60,000 gas for the token contract, and the gas of the transaction and
 * its calldata.
 */
const BALANCE_GAS = 100_000n

interface ReadAtBlock {
  blockHash: Hex
  contracts: readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]
  multicall3: Address
}

type ReadResult = { status: 'success'; result: unknown } | { status: 'failure'; error: Error; result?: undefined }

/**
 * Calls view functions on the state after one block. The block is named by its hash (EIP-1898). If the node has another
 * block at this height, the call fails.
 *
 * viem's own multicall is not used. If the node lacks the block, viem would report that each function failed.
 */
export async function readContractsAt(
  client: PublicClient,
  { blockHash, contracts, multicall3 }: ReadAtBlock,
): Promise<ReadResult[]> {
  const calls = contracts.map((contract) => ({
    target: contract.address,
    allowFailure: true,
    callData: encodeFunctionData(contract as never),
  }))
  const answers = await client.readContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
    blockHash,
  })
  return contracts.map((contract, index): ReadResult => {
    const answer = answers[index]
    if (answer === undefined || !answer.success) return failure('the view reverted')
    try {
      return { status: 'success', result: decodeFunctionResult({ ...contract, data: answer.returnData } as never) }
    } catch (error) {
      return failure('the view answered something else', error)
    }
  })
}

/**
 * Reads a token balance with a separate call and a gas limit. A hostile token cannot affect other reads. Null if the
 * token or the node gives no valid answer.
 */
export async function findTokenBalanceAt(
  client: PublicClient,
  { blockHash, token, account }: { blockHash: Hex; token: Address; account: Address },
): Promise<bigint | null> {
  try {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
    const { data: word } = await client.call({ to: token, data, gas: BALANCE_GAS, blockHash })
    return word !== undefined && size(word) === 32 ? hexToBigInt(word) : null
  } catch {
    return null
  }
}

function failure(message: string, cause?: unknown): ReadResult {
  return { status: 'failure', error: new Error(message, { cause }) }
}
