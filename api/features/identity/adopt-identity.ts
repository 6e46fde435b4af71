import { z } from 'zod'
import { adoptIdentity as entry } from '../../../protocol/operations/adopt-identity.ts'
import { wholeText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/** The registry is asked who owns the identity when the call is simulated: the index does not know older ones. */
export const adoptIdentity = defineWrite(entry, {
  body: z.object({
    agentId: wholeText().meta({ description: 'In the ERC-8004 registry, a decimal string.' }),
  }),
  response: z.object({
    agentId: z.string().meta({ description: 'A decimal string.' }),
    txHash: hashOut,
  }),
  load: async () => ({}),
  facts: {},
  preflight: () => null,
  content: async (_deps, _subject, { agentId }) => ({ content: {}, resultInputs: { agentId: agentId.toString() } }),
  result: ({ txHash, facts: { agentId } }) => ({ body: { agentId, txHash } }),
})
