import { z } from 'zod'
import { adoptIdentity as entry } from '../../../protocol/operations/adopt-identity.ts'
import { wholeText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Adopts an ERC-8004 identity that the payer owns. The service reads the owner from the registry, because an identity
 * can be older than the first indexed block.
 *
 * Example: `POST /api/identity/adopt` with `{"agentId": "0"}` answers `{"agentId": "0", "txHash": "0x03c2.."}`.
 */
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
