import type { CallContext, FactName, OwnerSignedForm } from '../../protocol/operation.ts'
import type { AnyWrite } from './relayed-write.ts'
import { type Fields, fieldsOf, type Request } from './request-fields.ts'
import type { WriteDeps } from './write-deps.ts'

/**
 * The values, in addition to the request, from which an entry (the protocol's part of a write) builds its calls and
 * messages.
 */
export type EntryContext = Omit<CallContext<FactName>, 'facts'> & { facts: Fields }

/** The parts that a write has in addition if its call contains the signature of the owner of the assets. */
interface Submission {
  ownerSigned: OwnerSignedForm<Fields, EntryContext>
  complete?: (subject: unknown, input: Fields) => Fields
  amount: (subject: unknown, input: Fields) => bigint
  factsOf: (subject: unknown, input: Fields) => Fields
}

/**
 * Returns the write with two additions. `signed` returns the owner's signature, and the message that the owner of the
 * assets must have signed. `prepare` also returns the id, the amount and the end of validity of the signature. Example:
 * for a transfer of USDC, the message is typed data, and the id is the nonce in the typed data.
 */
export function toSubmittedWrite(
  write: AnyWrite,
  { ownerSigned, complete = (_subject, input) => input, amount, factsOf }: Submission,
): AnyWrite {
  const admittedOf = (subject: unknown, request: Request, { deployment }: Pick<WriteDeps, 'deployment'>) => {
    const input = complete(subject, fieldsOf(request))
    const actor = ownerSigned.signer(input)
    return { input, actor, context: { facts: factsOf(subject, input), deployment, actor } }
  }
  return {
    ...write,
    signed: (request, subject, deps) => {
      const { input, actor, context } = admittedOf(subject, request, deps)
      return { actor, signature: ownerSigned.signature(input), ...ownerSigned.message(input, context) }
    },
    prepare: async (deps, subject, request, actor) => {
      const { input, context } = admittedOf(subject, request, deps)
      const preparation = await write.prepare(deps, subject, { ...request, body: input }, actor)
      if ('failure' in preparation) return preparation
      const [id, validBefore] = [ownerSigned.id(input, context), ownerSigned.validBefore(input)]
      return { ...preparation, submission: { id, value: amount(subject, input), validBefore } }
    },
  }
}
