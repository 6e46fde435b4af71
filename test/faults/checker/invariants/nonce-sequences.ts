import type { Evidence } from '../evidence.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('nonce sequences are complete')

/** At rest no sequence has a gap or a pending transaction, and every transaction of a relayer is a row of attempts. */
export function checkNonceSequences({ chain, tables, log }: Evidence): Violation[] {
  const found: Violation[] = []
  for (const { relayer, latest, pending } of chain.nonceSequences) {
    const next = tables.nonceSequences.find((nonceSequence) => nonceSequence.relayer === relayer)?.nextNonce
    if (latest === pending && latest === next) continue
    found.push(violation(`relayer ${relayer}`, `mined up to ${latest}, pending up to ${pending}, its row says ${next}`))
  }
  const relayers = new Set(chain.nonceSequences.map(({ relayer }) => relayer))
  const known = new Set(tables.attempts.map(({ hash }) => hash))
  for (const { hash, from, nonce } of chain.transactions.values()) {
    if (!relayers.has(from) || known.has(hash) || log.foreignTransactions.has(hash)) continue
    found.push(violation(`transaction ${hash}`, `${from} sent it with nonce ${nonce}, and no attempt has its hash`))
  }
  return found
}
