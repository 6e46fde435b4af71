import { type Address, BaseError, ExecutionRevertedError, type Hex } from 'viem'
import type { MarketChain } from '../indexer/market-chain.ts'

/** Whether the market would accept a direct call of this actor; at `now` if given. */
export async function succeeds(
  { client, deployment }: MarketChain,
  { actor, data, now }: { actor: Address; data: Hex; now?: bigint },
): Promise<boolean> {
  try {
    await client.call({
      account: actor,
      to: deployment.market,
      data,
      ...(now !== undefined && { blockOverrides: { time: now } }),
    })
    return true
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError)) return false
    throw error
  }
}
