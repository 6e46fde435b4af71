import type { HttpEntry, WriteEntry } from '../../environment/evidence-log.ts'
import type { Evidence } from '../evidence.ts'
import { intentViews, isDisplaced, lastIntentView } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('answers stay true')

/**
 * A final result of a key, from a 200 or from the intents route, is the answer of the intents route from then on, and its
 * transaction is on the chain.
 */
export function checkAnswers(evidence: Evidence): Violation[] {
  return evidence.log.writes.flatMap((write) => [
    ...evidence.log.http
      .filter((entry) => isResult(entry, write))
      .flatMap((entry) => checkResult(evidence, write, entry)),
    ...checkViews(evidence, write),
  ])
}

/** The write's own answer of 200. */
function isResult({ key, method, status }: HttpEntry, write: WriteEntry): boolean {
  return key === write.key && method === 'POST' && status === 200
}

function checkResult(evidence: Evidence, write: WriteEntry, { body, settledIn, endedAt }: HttpEntry): Violation[] {
  const subject = `${write.id}, key ${write.key}`
  const answer = body as { txHash?: string; taskId?: string; intentId?: string }
  const later = intentViews(evidence, write.key).filter(({ at }) => at > endedAt)
  const last = later.at(-1)?.view
  if (last === undefined) return [violation(subject, 'was answered 200, and its key was not found after', 'lost')]
  const found: Violation[] = []
  if (last.status !== 'completed') {
    found.push(violation(subject, `was answered 200, and /intents says ${last.status} now`, 'lost'))
  }
  for (const hash of [answer.txHash, settledIn]) {
    if (hash === undefined || hash === null || isDisplaced(evidence, hash)) continue
    if (hash !== last.txHash) found.push(violation(subject, `was answered ${hash}, now it is ${last.txHash}`, 'lost'))
    if (evidence.chain.transactions.get(hash as `0x${string}`)?.succeeded !== true) {
      found.push(violation(subject, `was answered ${hash}, which is no successful transaction of the chain`, 'lost'))
    }
  }
  if (answer.intentId !== undefined && answer.intentId !== last.intentId) {
    found.push(violation(subject, `was intent ${answer.intentId}, now it is ${last.intentId}`, 'lost'))
  }
  if (write.effect.event === 'TaskCreated' && answer.taskId !== last.taskId) {
    found.push(violation(subject, `was task ${answer.taskId}, now it is ${last.taskId}`, 'lost'))
  }
  return found
}

/** A final view never changes; its transaction is on the chain. */
function checkViews(evidence: Evidence, write: WriteEntry): Violation[] {
  const subject = `${write.id}, key ${write.key}`
  const last = lastIntentView(evidence, write.key)
  if (last === null || last.status === 'unknown' || last.status === 'reserved') {
    const mayBeUnknown = write.outcome?.kind === 'refused'
    return mayBeUnknown ? [] : [violation(subject, 'nothing is recorded under its key at /intents', 'lost')]
  }
  const found: Violation[] = []
  for (const { view } of intentViews(evidence, write.key)) {
    const isFinal = view.status === 'completed' || view.status === 'failed'
    const isMoved = view.txHash !== last.txHash && !isDisplaced(evidence, view.txHash)
    if (isFinal && (view.status !== last.status || isMoved)) {
      const [was, is] = [view, last].map(({ status, txHash }) => `${status} in ${txHash}`)
      found.push(violation(subject, `/intents said ${was}, now it says ${is}`, 'lost'))
    }
  }
  if (last.status === 'completed') {
    const transaction = evidence.chain.transactions.get(last.txHash as `0x${string}`)
    if (transaction?.succeeded !== true) found.push(violation(subject, `${last.txHash} is not on the chain`, 'lost'))
  }
  return found
}
