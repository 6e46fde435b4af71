import type { Address } from 'viem'
import type { WriteEntry } from '../../environment/evidence-log.ts'
import type { Evidence } from '../evidence.ts'
import { amountOf, effectsOf, eventsNamed, settlementsOf } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('no wallet is charged twice or for nothing')

/** The charge of each key, and the balance of each wallet. */
export function checkCharges(evidence: Evidence): Violation[] {
  return [
    ...evidence.log.writes.filter(({ mode }) => mode === 'paid').flatMap((write) => checkWrite(evidence, write)),
    ...[...evidence.log.minted].flatMap(([wallet, minted]) => checkWallet(evidence, { wallet, minted })),
  ]
}

function checkWrite(evidence: Evidence, write: WriteEntry): Violation[] {
  const subject = `${write.id}, key ${write.key}`
  const isOwn = (payer: unknown, nonce: unknown) => payer === write.actor && write.nonces.some((own) => own === nonce)
  const settled = settlementsOf(evidence).filter(({ payer, nonce }) => isOwn(payer, nonce))
  const refunds = eventsNamed(evidence, 'forwarder', 'PrepaidRefunded').filter(({ args }) =>
    isOwn(args.payer, args.nonce),
  )
  const effects = effectsOf(evidence, write).length
  const charges = settled.length - refunds.length
  const found: Violation[] = []
  if (charges > 1) found.push(violation(subject, `was charged ${charges} times`, 'paid twice'))
  if (charges > effects && effects === 0 && !isOpen(evidence, write)) {
    found.push(violation(subject, 'was charged, and nothing happened', 'charged for nothing'))
  }
  if (charges < effects) found.push(violation(subject, `happened ${effects} times and was charged ${charges} times`))
  for (const { amount } of settled) {
    if (amount !== write.charge) found.push(violation(subject, `was charged ${amount} instead of ${write.charge}`))
  }
  return found
}

/** Held for an operator, or owed back: not ended. */
function isOpen({ tables }: Evidence, { key }: WriteEntry): boolean {
  const row = tables.intents.find((intent) => intent.key === key)
  return row?.status === 'held' || ['pending', 'refunding', 'failed'].includes(row?.refundStatus ?? '')
}

function checkWallet(evidence: Evidence, { wallet, minted }: { wallet: Address; minted: bigint }): Violation[] {
  const transfers = eventsNamed(evidence, 'usdc', 'Transfer')
  const out = transfers.filter(({ args }) => args.from === wallet)
  const back = transfers.filter(({ args }) => args.to === wallet && BigInt(String(args.from)) !== 0n)
  const own = evidence.log.writes.filter(({ actor }) => actor === wallet).flatMap(({ nonces }) => nonces)
  const used = eventsNamed(evidence, 'usdc', 'AuthorizationUsed').filter(
    ({ args }) => args.authorizer === wallet && own.some((nonce) => nonce === args.nonce),
  )
  const found = out
    .filter(({ txHash }) => !used.some((event) => event.txHash === txHash))
    .map((event) =>
      violation(`wallet ${wallet}`, `lost ${amountOf(event)} in ${event.txHash}, which is no charge of a key`),
    )
  const left = minted - total(out.map(amountOf)) + total(back.map(amountOf))
  const balance = evidence.chain.balances.wallets.get(wallet)
  if (balance !== undefined && balance !== left) {
    found.push(violation(`wallet ${wallet}`, `has ${balance}, its transfers leave ${left}`))
  }
  return found
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
