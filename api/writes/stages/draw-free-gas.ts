import type { Address } from 'viem'
import type { IntentFacts } from '../../errors/service-error.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { ClientRateLimits, RateLimitName } from '../../http/client-rate-limits.ts'
import { hasPaidOrEarned } from '../../intents/gas-accounts.queries.ts'
import { operationGasOf } from '../../intents/operation-gas.ts'
import type { Operation } from '../../intents/operations.ts'
import type { WriteDeps } from '../write-deps.ts'

/** A free call that is not bound yet. */
export interface FreeCall {
  operation: Operation
  /** The actor; null if the caller is anonymous. */
  actor: Address | null
  /** The gas that the simulation used. */
  gas: bigint
  target: Address
  intent: IntentFacts
}

/**
 * A function that gives the drawn gas back to two budgets: the budget of the client, and the common budget of all
 * clients. Call the function if the write was not bound.
 */
export type ReturnGas = () => Promise<void>

type Budget = 'exit' | 'entry' | 'newcomer'
/** The key under which the rate limits count the gas of all clients together. */
const ALL_CLIENTS = 'all clients'
const budgets: Record<Budget, { all: RateLimitName; ofClient: RateLimitName }> = {
  exit: { all: 'exitGas', ofClient: 'clientExitGas' },
  entry: { all: 'entryGas', ofClient: 'clientEntryGas' },
  newcomer: { all: 'newcomerGas', ofClient: 'clientNewcomerGas' },
}

/**
 * Draws a free call's gas, in stage 8, from two daily budgets: the client's own budget and the common budget of all
 * clients. Withdrawals of money draw from a separate pair of budgets (interface specification, "Gas").
 * @throws ServiceError 503 `gas_budget` when a budget is too low for the call; the message names the contract to call
 * directly
 */
export async function drawFreeGas(
  deps: Pick<WriteDeps, 'sql' | 'deployment'>,
  rateLimits: Pick<ClientRateLimits, 'consume' | 'refund'>,
  call: FreeCall,
): Promise<ReturnGas> {
  const { all, ofClient } = budgets[await budgetOf(deps, call)]
  const units = Number(call.gas)
  try {
    await rateLimits.consume(ofClient, undefined, units)
  } catch (error) {
    throw outOfGas(error, 'this client', call)
  }
  try {
    await rateLimits.consume(all, ALL_CLIENTS, units)
  } catch (error) {
    await rateLimits.refund(ofClient, undefined, units)
    throw outOfGas(error, 'all clients', call)
  }
  return async () => {
    await rateLimits.refund(ofClient, undefined, units)
    await rateLimits.refund(all, ALL_CLIENTS, units)
  }
}

async function budgetOf({ sql, deployment }: Pick<WriteDeps, 'sql' | 'deployment'>, call: FreeCall): Promise<Budget> {
  if (operationGasOf(call.operation).freeBudget === 'exits') return 'exit'
  if (call.actor === null) return 'newcomer'
  return (await hasPaidOrEarned(sql, { wallet: call.actor, usdc: deployment.usdc })) ? 'entry' : 'newcomer'
}

function outOfGas(error: unknown, whose: string, { target, intent }: FreeCall): unknown {
  if (!(error instanceof ServiceError) || error.status !== 429) return error
  const sentence =
    `The gas that ${whose} may have relayed for free today is used up; nothing was sent. Send the transaction directly ` +
    `to ${target} (docs/build/limits.md, "Gas"), or try again later.`
  return new ServiceError(503, 'unclassified', sentence, {
    detail: 'gas_budget',
    headers: error.options.headers ?? {},
    isRefusal: true,
    intent,
  })
}
