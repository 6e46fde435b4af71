import type { Evidence } from '../evidence.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('nonce sequences are closed')

/** At rest no nonce sequence has a gap or anything pending, and a relayer's key signed nothing that the tables do not know. */
export function checkNonceSequences({ chain, tables, log }: Evidence): Violation[] {
  const found: Violation[] = []
  for (const { relayer, latest, pending } of chain.nonceSequences) {
    const next = tables.nonceSequences.find((nonceSequence) => nonceSequence.relayer === relayer)?.nextNonce
    if (latest === pending && latest === next) continue
    found.push(
      violation(`nonce sequence ${relayer}`, `mined up to ${latest}, pending up to ${pending}, its row says ${next}`),
    )
  }
  const relayers = new Set(chain.nonceSequences.map(({ relayer }) => relayer))
  const known = new Set(tables.attempts.map(({ hash }) => hash))
  for (const { hash, from, nonce } of chain.transactions.values()) {
    if (!relayers.has(from) || known.has(hash) || log.foreignTransactions.has(hash)) continue
    found.push(violation(`transaction ${hash}`, `${from} sent it with nonce ${nonce}, and no attempt knows it`))
  }
  return found
}
