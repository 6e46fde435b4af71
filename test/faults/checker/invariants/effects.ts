import type { Evidence } from '../evidence.ts'
import { effectsOf, eventsNamed } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('a key has one effect, as its client was answered')

/** At most one effect for each key; one when its client was answered completed, none otherwise. */
export function checkEffects(evidence: Evidence): Violation[] {
  return [
    ...evidence.log.writes.flatMap((write) => {
      const count = effectsOf(evidence, write).length
      const subject = `${write.id}, key ${write.key}`
      const found: Violation[] = []
      if (count > 1) found.push(violation(subject, `its ${write.effect.event} happened ${count} times`, 'paid twice'))
      if (write.outcome === null || write.outcome.kind === 'undecided') {
        const last = write.outcome?.kind === 'undecided' ? write.outcome.last : 'no outcome'
        return [...found, violation(subject, `never decided: ${last}`, 'lost')]
      }
      const { kind } = write.outcome
      if (kind === 'completed' && count === 0) {
        found.push(violation(subject, 'was told completed, and nothing happened', 'lost'))
      }
      if (kind !== 'completed' && count > 0) {
        found.push(violation(subject, `was told ${JSON.stringify(write.outcome)}, and it happened`, 'lost'))
      }
      return found
    }),
    ...checkForwarderIds(evidence),
  ]
}

/** The forwarder consumes an id once; a nonce of a payment too. */
function checkForwarderIds(evidence: Evidence): Violation[] {
  const seen = new Set<string>()
  return eventsNamed(evidence, 'forwarder', 'IntentRelayed').flatMap(({ args, txHash }) => {
    const isPaid = BigInt(String(args.paymentNonce)) !== 0n
    const names = [`intent ${args.intentId}`, ...(isPaid ? [`payment ${args.actor} ${args.paymentNonce}`] : [])]
    return names.flatMap((name) => {
      if (!seen.has(name)) {
        seen.add(name)
        return []
      }
      return violation(name, `the forwarder relayed it again in ${txHash}`, 'paid twice')
    })
  })
}
