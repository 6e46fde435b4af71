import { hashDocument } from '../../protocol/documents/canonical-json.ts'
import type { FactName, Facts } from '../../protocol/operation.ts'
import type { CallFacts, FactHint } from '../errors/service-error.ts'

type Known = Partial<Facts>

const hints: { readonly [Name in FactName]: (value: Facts[Name]) => FactHint } = {
  reward: String,
  requester: (address) => address,
  termsHash: (hash) => hash,
  stake: String,
  claimRound: (round) => round,
  texts: (texts) => hashDocument({ ...texts }).hash,
  deliverables: (hashes) => hashes,
  raterAgentId: toId,
  workerAgentId: toId,
  feedbackBase: (text) => text,
  programme: (address) => address,
  vault: ({ address, epoch }) => ({ address, epoch: String(epoch) }),
}

/**
 * Returns the facts of a call as strings for an error body. Amounts and ids become decimal strings. The texts of a task
 * become the hash of their canonical JSON. Example: `{ reward: '5000000', deliverables: ['0x11..'] }`.
 */
export function toFactHints(names: readonly FactName[], facts: Known): CallFacts['facts'] {
  return Object.fromEntries(names.map((name) => [name, hintOf(name, facts)]))
}

function hintOf<Name extends FactName>(name: Name, facts: Known): FactHint {
  const value: Facts[Name] | undefined = facts[name]
  if (value === undefined) throw new Error(`the fact ${name} was not read`)
  return hints[name](value)
}

function toId(id: bigint | null): string | null {
  return id === null ? null : id.toString()
}
