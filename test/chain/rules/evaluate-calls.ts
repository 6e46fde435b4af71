import { type Address, concat, type Hex, parseAbi, size, toHex } from 'viem'
import type { MarketChain } from '../indexer/market-chain.ts'

/** A call of the market by a wallet itself, made without any service. */
export interface EvaluatedCall {
  actor: Address
  data: Hex
}

const multicallAbi = parseAbi([
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
])

/**
 * Whether the market would take each of the calls in a block of the given time (Unix seconds), each on its own from the
 * state as it is now. One `eth_call` for all of them: meanwhile every wallet has the code of a puppet, which makes the
 * call it is given and takes everything back.
 */
export async function evaluateAll(
  { client, deployment }: MarketChain,
  now: bigint,
  calls: readonly EvaluatedCall[],
): Promise<boolean[]> {
  const code = puppetOf(deployment.market)
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
    if (success || size(returnData) !== 32) throw new Error(`a puppet answered ${returnData}`)
    return BigInt(returnData) === 1n
  })
}

/** Code that calls `target` with whatever it is called with, then reverts with whether that succeeded, one word. */
function puppetOf(target: Address): Hex {
  return concat([
    // CALLDATASIZE, 0, 0, CALLDATACOPY: the call data to memory.
    ...(['0x36', '0x5f', '0x5f', '0x37'] as const),
    // CALL(GAS, target, value 0, memory from 0 on, nothing returned).
    ...(['0x5f', '0x5f', '0x36', '0x5f', '0x5f', '0x73', target, '0x5a', '0xf1'] as const),
    // MSTORE(0, success), REVERT(0, 32).
    ...(['0x5f', '0x52', '0x60', toHex(32), '0x5f', '0xfd'] as const),
  ])
}
