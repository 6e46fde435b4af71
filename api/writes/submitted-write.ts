import type { CallContext, FactName, OwnerSignedForm } from '../../protocol/operation.ts'
import type { AnyWrite } from './relayed-write.ts'
import { type Fields, fieldsOf, type Request } from './request-fields.ts'
import type { WriteDeps } from './write-deps.ts'

/** The values from which an entry builds its calls and messages, in addition to the request. */
export type EntryContext = Omit<CallContext<FactName>, 'facts'> & { facts: Fields }

/** The additional parts of a write whose call is submitted with its owner's own signature. */
interface Submission {
  ownerSigned: OwnerSignedForm<Fields, EntryContext>
  complete?: (subject: unknown, input: Fields) => Fields
  amount: (subject: unknown, input: Fields) => bigint
  factsOf: (subject: unknown, input: Fields) => Fields
}

/**
 * Returns the write with two additions: the message that the owner must sign, and the owner's signature in the call.
 * With the signature any account may submit the call. Example: the typed data of a transfer, and the nonce of the
 * transfer.
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
