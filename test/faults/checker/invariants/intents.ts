import type { ChainEvent, Evidence, IntentRow } from '../evidence.ts'
import { eventsNamed, settlementsOf } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('the chain and the intents agree')

/** Statuses without further work. */
const restingStatuses = ['reserved', 'completed', 'failed', 'held']

/**
 * Every payment that reached the forwarder belongs to one intent, every relayed call too, and the rows agree with the chain
 * about both. No intent is unfinished.
 */
export function checkIntents(evidence: Evidence): Violation[] {
  const { intents } = evidence.tables
  return [
    ...intents
      .filter(({ status }) => !restingStatuses.includes(status))
      .map(({ id, status }) => violation(`intent ${id}`, `is still ${status} at the end`, 'lost')),
    ...checkSettlements(evidence),
    ...checkRelays(evidence),
    ...intents.filter(({ status }) => status === 'completed').flatMap((row) => checkCompleted(evidence, row)),
  ]
}

function checkSettlements(evidence: Evidence): Violation[] {
  const { tables, log } = evidence
  return settlementsOf(evidence).flatMap(({ payer, nonce, amount, event }) => {
    const rows = tables.intents.filter((row) => row.initiator === payer && row.paymentNonce === nonce)
    if (rows.length === 1) return []
    if (rows.length === 0 && log.foreignSettlements.has(nonce as `0x${string}`)) return []
    return violation(
      `payment ${nonce}`,
      `${amount} of ${payer} was settled in ${event.txHash}, and ${rows.length} intents have it`,
      rows.length === 0 ? 'charged for nothing' : null,
    )
  })
}

function checkRelays(evidence: Evidence): Violation[] {
  return eventsNamed(evidence, 'forwarder', 'IntentRelayed').flatMap(({ args, txHash }) => {
    const rows = evidence.tables.intents.filter(({ chainIntentId }) => chainIntentId === args.intentId)
    const [row] = rows
    if (row === undefined && evidence.log.foreignTransactions.has(txHash as `0x${string}`)) return []
    if (rows.length !== 1 || row === undefined) {
      return violation(`relay ${args.intentId}`, `acted in ${txHash}, and ${rows.length} intents have it`)
    }
    if (row.status === 'completed' && row.txHash === txHash) return []
    return violation(`intent ${row.id}`, `acted in ${txHash}, and its row says ${row.status} in ${row.txHash}`, 'lost')
  })
}

function checkCompleted(evidence: Evidence, row: IntentRow): Violation[] {
  switch (row.kind) {
    case 'market':
    case 'registry':
      return checkRelayed(evidence, row)
    case 'transfer':
      return checkSubmitted(row, eventsNamed(evidence, 'usdc', 'AuthorizationUsed').filter(isOf(row, 'authorizer')))
    case 'claim':
      return checkSubmitted(row, [
        ...eventsNamed(evidence, 'bonusHook', 'BonusWithdrawn').filter(isOf(row, 'account')),
        // The nonce of the row is the hash of what was signed; the wallets of claims make one each.
        ...eventsNamed(evidence, 'vault', 'Claimed').filter(({ args }) => args.worker === row.initiator),
      ])
    default:
      return [violation(`intent ${row.id}`, `is completed, and its call is of the kind ${row.kind}`)]
  }
}

function isOf({ initiator, paymentNonce }: IntentRow, owner: string) {
  return ({ args }: ChainEvent) => args[owner] === initiator && args.nonce === paymentNonce
}

function checkSubmitted({ id, kind, txHash }: IntentRow, proofs: readonly ChainEvent[]): Violation[] {
  if (proofs.length === 1 && proofs[0]?.txHash === txHash) return []
  return [violation(`intent ${id}`, `is completed in ${txHash}, where its ${kind} was not made`, 'lost')]
}

function checkRelayed({ chain }: Evidence, { id, chainIntentId, txHash }: IntentRow): Violation[] {
  const relayed = chain.events.filter(({ name, args }) => name === 'IntentRelayed' && args.intentId === chainIntentId)
  if (relayed.some((event) => event.txHash === txHash)) return []
  return [violation(`intent ${id}`, `is completed in ${txHash}, where the forwarder relayed no such intent`, 'lost')]
}
