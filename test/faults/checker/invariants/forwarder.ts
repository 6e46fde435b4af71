import type { Evidence } from '../evidence.ts'
import { amountOf, eventsNamed, type Settlement, settlementsOf } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('the forwarder’s balance is explained')

/** Its USDC is its income and payments that a row of the tables explains. */
export function checkForwarder(evidence: Evidence): Violation[] {
  const { forwarder, market } = evidence.deployment
  const found: Violation[] = []
  let income = 0n
  let waiting = 0n
  for (const settlement of settlementsOf(evidence)) {
    const relayed = relaysOf(evidence, settlement)
    if (relayed[0] !== undefined) {
      const escrow = transfers(evidence, forwarder, market).filter(({ txHash }) => txHash === relayed[0]?.txHash)
      income += settlement.amount - sum(escrow.map(amountOf))
    } else if (refundsOf(evidence, settlement).length === 0) {
      waiting += settlement.amount
      if (!isExpected(evidence, settlement)) {
        found.push(
          violation(
            settlement.nonce,
            `${settlement.amount} of ${settlement.payer} are in the forwarder, and no row has the payment`,
            'charged for nothing',
          ),
        )
      }
    }
  }
  income -= sum(eventsNamed(evidence, 'forwarder', 'FeesSwept').map(amountOf))
  const { balances, views } = evidence.chain
  if (views.fees !== income) found.push(violation('fees', `fees() is ${views.fees}, its payments make ${income}`))
  if (balances.forwarder !== income + waiting) {
    found.push(
      violation('balance', `it holds ${balances.forwarder}: ${income} income and ${waiting} of payments explain less`),
    )
  }
  return found
}

function relaysOf(evidence: Evidence, { payer, nonce }: Settlement) {
  return eventsNamed(evidence, 'forwarder', 'IntentRelayed').filter(
    ({ args }) => args.actor === payer && args.paymentNonce === nonce,
  )
}

function refundsOf(evidence: Evidence, { payer, nonce }: Settlement) {
  return eventsNamed(evidence, 'forwarder', 'PrepaidRefunded').filter(
    ({ args }) => args.payer === payer && args.nonce === nonce,
  )
}

/**
 * Held for an operator, owed back (by the service or by an operator), or settled by the fault case itself before any write
 * was bound.
 */
function isExpected({ tables, log }: Evidence, { payer, nonce }: Settlement): boolean {
  const row = tables.intents.find(({ initiator, paymentNonce }) => initiator === payer && paymentNonce === nonce)
  if (row === undefined) return log.foreignSettlements.has(nonce as `0x${string}`)
  return row.status === 'held' || ['pending', 'refunding', 'failed'].includes(row.refundStatus ?? '')
}

function transfers(evidence: Evidence, from: string, to: string) {
  return eventsNamed(evidence, 'usdc', 'Transfer').filter(({ args }) => args.from === from && args.to === to)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
