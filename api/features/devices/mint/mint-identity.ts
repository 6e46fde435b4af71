import type { Address } from 'viem'
import { mintIdentity } from '../../../../protocol/own-operations.ts'
import { getRegistered } from '../../../chain/registrar-events.ts'
import { withTimeout } from '../../../concurrency/with-timeout.ts'
import type { Transaction } from '../../../db/client.ts'
import { refuse } from '../../../domain/refusal.ts'
import { ServiceError } from '../../../errors/service-error.ts'
import type { ClientRateLimits } from '../../../http/client-rate-limits.ts'
import { listAgentIds } from '../../../read-model/agent-ids.queries.ts'
import { bindOwnWrite } from '../../../writes/bind-own-write.ts'
import type { AnyWrite } from '../../../writes/relayed-write.ts'
import type { WriteDeps } from '../../../writes/write-deps.ts'
import { findMint, recordMint } from './mints.queries.ts'
import { takeMint } from './take-mint.ts'

/**
 * The description of the write that mints an identity. The relayer uses it to build the write's result. Only the
 * service starts this write; no route accepts it.
 */
export const identityMint: Pick<AnyWrite, 'operation' | 'result'> = {
  operation: mintIdentity.name,
  result: (minedWrite) => {
    const { agentId, alreadyRegistered } = getRegistered(minedWrite)
    return { body: { agentId: agentId.toString(), alreadyRegistered } }
  },
}

export interface MintRequest {
  wallet: Address
  rateLimits: Pick<ClientRateLimits, 'consume' | 'refund'>
  requestId: string
}

/**
 * Returns the agent id of a wallet that proved its address by a signature. If the wallet has no id, the service mints
 * an id. Each wallet gets at most one mint.
 * @returns null if no id exists within `MINT_ANSWER_MS`: the rate limits allow no mint, or the mint takes longer or
 * failed. The next registration of a device tries again.
 */
export async function findOrMintAgentId(deps: WriteDeps, request: MintRequest): Promise<bigint | null> {
  const { wallet } = request
  const agentId = (await listAgentIds(deps.sql, [wallet])).get(wallet)
  if (agentId !== undefined) return agentId
  const { MINT_ANSWER_MS } = deps.config
  try {
    return await withTimeout(mint(deps, request, AbortSignal.timeout(MINT_ANSWER_MS)), MINT_ANSWER_MS)
  } catch (error) {
    deps.log.warn({ err: error, wallet }, 'device registered without agent id')
    return null
  }
}

async function mint(deps: WriteDeps, request: MintRequest, deadline: AbortSignal): Promise<bigint | null> {
  const { wallet } = request
  const intentId = (await findMint(deps.sql, wallet)) ?? (await startMint(deps, request))
  if (intentId === null) return null
  const intent = await deps.writes.outcomes.wait(intentId, deadline)
  if (intent?.status !== 'completed' || intent.blockNumber === null) return null
  await deps.writes.indexedBlocks.wait(intent.blockNumber, deadline)
  return (await listAgentIds(deps.sql, [wallet])).get(wallet) ?? null
}

/**
 * Starts the mint of a wallet's identity, unless another request has started the mint.
 * @returns the id of the mint's intent; null if the rate limits allow no mint now
 */
async function startMint(deps: WriteDeps, { wallet, rateLimits, requestId }: MintRequest): Promise<string | null> {
  const { deployment } = deps
  const returnMint = await takeMint(deps.sql, { wallet, usdc: deployment.usdc, rateLimits })
  if (returnMint === null) return null
  try {
    return await bindOwnWrite(deps, {
      operation: mintIdentity.name,
      ...mintIdentity.call({ wallet }, deployment),
      requestId,
      guard: async (tx: Transaction, intentId) =>
        (await recordMint(tx, { wallet, intentId }))
          ? null
          : refuse(409, 'mint_in_progress', 'An identity is being minted for this wallet already.'),
    })
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'intent_in_flight') throw error
    await returnMint()
    const winner = await findMint(deps.sql, wallet)
    if (winner !== null) return winner
    throw error
  }
}
