import { z } from 'zod'
import { registerIdentity as entry } from '../../../protocol/operations/register-identity.ts'
import { getRegistered } from '../../chain/registrar-events.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import { visibleUri } from '../../http/request-schemas.ts'
import { listAgentIds } from '../../read-model/agent-ids.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * The largest length of an agent's URI in a request, in characters. A longer URI is an invalid request. The limit lies
 * above `MAX_RELAYED_URI_BYTES`: a URI between the two limits gets a refusal with a hint to call the registrar
 * directly.
 */
const MAX_URI_LENGTH = 65_536
/**
 * The largest length of a URI that is relayed, in bytes. The registry stores the URI, which costs 690 gas for each
 * byte.
 */
const MAX_RELAYED_URI_BYTES = 256

const agentUri = visibleUri(MAX_URI_LENGTH, {
  start: /^(?:https:\/\/|ipfs:\/\/|data:)/,
  names: 'an https, ipfs or data',
}).meta({
  description:
    'Where the registration file is, at most 256 bytes; the service’s own file of the wallet unless given. A longer one is ' +
    '409: call the identity registrar directly.',
})

/**
 * Registers an ERC-8004 identity for the payer. See the specification, "Agents and identity", and the interface
 * specification, "Identity, devices and keys".
 *
 * Example: `POST /api/identity/register` with `{}` answers `{"agentId": "0", "alreadyRegistered": true}`.
 */
export const registerIdentity = defineWrite(entry, {
  body: z.object({ agentURI: agentUri.optional() }),
  response: z.object({
    agentId: z.string().meta({ description: 'A decimal string.' }),
    alreadyRegistered: z.boolean(),
  }),
  load: async () => ({}),
  facts: {},
  preflight: (_subject, { agentURI }) => refuseLongUri(agentURI ?? ''),
  findDone: async ({ sql }, actor) => {
    const agentId = (await listAgentIds(sql, [actor])).get(actor)
    return agentId === undefined ? null : { agentId: agentId.toString(), alreadyRegistered: true }
  },
  result: (minedWrite) => {
    const { agentId, alreadyRegistered } = getRegistered(minedWrite)
    return { body: { agentId: agentId.toString(), alreadyRegistered } }
  },
})

/**
 * Refuses a URI that is too long to be relayed, because the service pays for every byte on chain. See the interface
 * specification, "Bytes".
 */
function refuseLongUri(uri: string): Refusal | null {
  const bytes = Buffer.byteLength(uri)
  if (bytes <= MAX_RELAYED_URI_BYTES) return null
  return refuse(
    409,
    'gas_ceiling',
    `agentURI has ${bytes} bytes, and at most ${MAX_RELAYED_URI_BYTES} are relayed; call register of the identity registrar directly, or leave it out.`,
    { field: 'agentURI' },
  )
}
