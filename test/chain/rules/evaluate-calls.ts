import { type Address, concat, type Hex, parseAbi, size, toHex } from 'viem'
import type { MarketChain } from '../indexer/market-chain.ts'

/** A direct call of the market by a wallet. */
export interface EvaluatedCall {
  actor: Address
  data: Hex
}

const multicallAbi = parseAbi([
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
])

/**
 * Whether the market would accept each of the calls in a block of the given time (Unix seconds), each one from the
 * current state. One `eth_call` for all: in it every wallet has the code of a proxy, which executes the given call and
 * reverts.
 */
export async function evaluateAll(
  { client, deployment }: MarketChain,
  now: bigint,
  calls: readonly EvaluatedCall[],
): Promise<boolean[]> {
  const code = proxyOf(deployment.market)
  const actors = [...new Set(calls.map(({ actor }) => actor))]
  const { result } = await client.simulateContract({
    address: deployment.multicall3,
    abi: multicallAbi,
    functionName: 'tryAggregate',
    args: [false, calls.map(({ actor, data }) => ({ target: actor, callData: data }))],
    stateOverride: actors.map((address) => ({ address, code })),
    blockOverrides: { time: now },
  })
  return result.map(({ success, returnData }) => {
    if (success || size(returnData) !== 32) throw new Error(`a proxy answered ${returnData}`)
    return BigInt(returnData) === 1n
  })
}

/** Code that forwards its call data to `target`, then reverts with the success of that call, one word. */
function proxyOf(target: Address): Hex {
  return concat([
    // CALLDATASIZE, 0, 0, CALLDATACOPY: the call data to memory.
    ...(['0x36', '0x5f', '0x5f', '0x37'] as const),
    // CALL(GAS, target, value 0, memory from 0 on, nothing returned).
    ...(['0x5f', '0x5f', '0x36', '0x5f', '0x5f', '0x73', target, '0x5a', '0xf1'] as const),
    // MSTORE(0, success), REVERT(0, 32).
    ...(['0x5f', '0x52', '0x60', toHex(32), '0x5f', '0xfd'] as const),
  ])
}
