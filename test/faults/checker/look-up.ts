import type { WriteEntry } from '../environment/evidence-log.ts'
import type { ChainEvent, Evidence } from './evidence.ts'

export function eventsNamed(evidence: Evidence, contract: ChainEvent['contract'], name: string): ChainEvent[] {
  return evidence.chain.events.filter((event) => event.contract === contract && event.name === name)
}

/** Events that are the effect of a write. */
export function effectsOf(evidence: Evidence, { effect }: WriteEntry): ChainEvent[] {
  return eventsNamed(evidence, effect.contract ?? 'market', effect.event).filter(({ args }) =>
    Object.entries(effect.args).every(([name, value]) => String(args[name]) === String(value)),
  )
}

/** Settlements of an authorization towards the forwarder: its use, and the transfer in the same transaction. */
export interface Settlement {
  payer: string
  nonce: string
  amount: bigint
  event: ChainEvent
}

const known = new WeakMap<Evidence, Settlement[]>()

/** Every authorization whose USDC reached the forwarder. */
export function settlementsOf(evidence: Evidence): Settlement[] {
  const settlements = known.get(evidence) ?? findSettlements(evidence)
  known.set(evidence, settlements)
  return settlements
}

function findSettlements(evidence: Evidence): Settlement[] {
  const arrivals = eventsNamed(evidence, 'usdc', 'Transfer').filter(
    ({ args }) => args.to === evidence.deployment.forwarder,
  )
  return eventsNamed(evidence, 'usdc', 'AuthorizationUsed').flatMap((event) => {
    const { authorizer, nonce } = event.args
    const arrival = arrivals.find(({ txHash, args }) => txHash === event.txHash && args.from === authorizer)
    if (arrival === undefined) return []
    return { payer: String(authorizer), nonce: String(nonce), amount: amountOf(arrival), event }
  })
}

/** Of a transfer. */
export function amountOf({ args }: ChainEvent): bigint {
  return BigInt(String(args.value ?? args.amount))
}

/** The last answer of the intents route about a key; null without one. */
export function lastIntentView(evidence: Evidence, key: string): IntentView | null {
  return intentViews(evidence, key).at(-1)?.view ?? null
}

export interface IntentView {
  intentId: string
  status: string
  txHash: string | null
  taskId: string | null
}

const unknown: IntentView = { intentId: '', status: 'unknown', txHash: null, taskId: null }

/** Every answer of the intents route about a key, in order; `unknown` where it found none. */
export function intentViews(evidence: Evidence, key: string): { at: number; view: IntentView }[] {
  return evidence.log.http
    .filter(({ key: asked, method, status }) => asked === key && method === 'GET' && (status === 200 || status === 404))
    .map(({ endedAt, status, body }) => ({ at: endedAt, view: status === 200 ? (body as IntentView) : unknown }))
}

/**
 * Whether a foreign transaction with the same relayer and nonce replaced this one in a reorg: then it can never be on the
 * chain again, and its write continues in another transaction.
 */
export function isDisplaced({ tables, chain, log }: Evidence, hash: string | null): boolean {
  const attempt = tables.attempts.find((candidate) => candidate.hash === hash)
  if (attempt === undefined) return false
  return [...chain.transactions.values()].some(
    ({ hash: other, from, nonce }) =>
      from === attempt.relayer && nonce === attempt.nonce && log.foreignTransactions.has(other),
  )
}
