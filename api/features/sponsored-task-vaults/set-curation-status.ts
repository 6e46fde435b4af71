import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { curationText } from '../../../protocol/signed/account-texts.ts'
import { type SignedMessage, toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { judgeMoment, moments } from '../../../protocol/windows.ts'
import { NOT_DEPLOYED, takeSignature } from '../../chain/take-signature.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { invalidRequest, refuseWindow } from '../../http/parse.ts'
import { bytes32, unixSeconds, walletSignature } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { type CurationStatus, curationStatuses, setCurationStatus } from '../../read-model/vault-curation.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'

const bodySchema = z.object({
  vaultId: bytes32.optional().meta({ description: 'The vault of the path, or left out.' }),
  status: z.enum(curationStatuses),
  timestamp: unixSeconds.meta({
    description: 'Unix seconds: at most 300 before now and 60 after it, and later than the last decision’s.',
  }),
  signature: walletSignature.meta({
    description: 'EIP-191 by a curator over `service:curate:<vaultId>:<status>:<timestamp>`, the id in lower case.',
  }),
})

/**
 * Approves or rejects a vault, by a curator's signature. See the specification, "Sponsored-task vaults", and the
 * interface specification, "Sponsored vaults".
 *
 * Example: `POST /api/sponsored-task-vaults/0xa9be../curation` with `{"status": "approved", "timestamp": 1795498393,
 * "signature": "0xef6d.."}` answers `{"vaultId": "0xa9be..", "curationStatus": "approved"}`.
 */
export const setVaultCuration = defineRoute({
  operationId: 'setVaultCuration',
  method: 'post',
  path: '/sponsored-task-vaults/{vaultId}/curation',
  tag: 'sponsored-task vaults',
  summary: 'Approve or reject a vault',
  description:
    'For curators, whom the operator configures. It decides which vaults lists show, and for which ones the service ' +
    'settles first; it changes nothing on chain, and no worker’s right to claim.',
  params: vaultParams,
  body: bodySchema,
  responses: {
    200: {
      description: 'The decision is in force.',
      schema: z.object({ vaultId: hashOut, curationStatus: z.enum(curationStatuses) }),
    },
    403: { description: 'The signature is not a curator’s over this decision.' },
    404: { description: 'No vault has this id.' },
    409: { description: 'A decision of this timestamp or a later one was taken before; nothing changed.' },
  },
  handler: async (
    deps,
    { params: { vaultId }, body: { vaultId: namedVaultId = vaultId, status, timestamp, signature } },
  ) => {
    if (namedVaultId !== vaultId) throw invalidRequest([{ path: 'vaultId', message: 'must be the vault of the path' }])
    await refuseUntimely(deps, timestamp)
    const curator = await getCurator(deps, { message: messageOf(deps, { vaultId, status, timestamp }), signature })
    await getVaultOrThrow(deps.sql, vaultId)
    if (!(await setCurationStatus(deps.sql, { vaultId, status, curator, timestamp }))) {
      throw new ServiceError(
        409,
        'unclassified',
        'A decision of this timestamp or a later one was taken before; nothing changed. Sign one with a later timestamp.',
        { detail: 'timestamp_not_newer' },
      )
    }
    deps.log.info({ vaultId, status, curator }, 'vault curated')
    return { vaultId, curationStatus: status }
  },
})

/** Refuses a curation decision if its timestamp is too old or too far in the future. */
async function refuseUntimely({ chain }: Pick<Deps, 'chain'>, timestamp: bigint): Promise<void> {
  refuseWindow(
    judgeMoment(moments.curation, timestamp, { clocks: await chain.clocks(), field: 'timestamp' }),
    'timestamp',
  )
}

function messageOf(
  { config }: Pick<Deps, 'config'>,
  decision: { vaultId: Hex; status: CurationStatus; timestamp: bigint },
): SignedMessage {
  return toSignedMessage(config.SERVICE_NAME, curationText(decision))
}

/**
 * Returns the configured curator who signed the request.
 * @throws ServiceError 403 if no curator signed; ChainUnavailable if a contract wallet cannot be called
 */
async function getCurator(
  { chain, config }: Pick<Deps, 'chain' | 'config'>,
  { message, signature }: { message: SignedMessage; signature: Hex },
): Promise<Address> {
  let isUndeployed = false
  for (const address of config.CURATORS) {
    const { problem } = await takeSignature(chain, { address, message, signature })
    if (problem === undefined) return address
    if (problem === 'wallet_not_deployed') isUndeployed = true
  }
  if (isUndeployed) throw new ServiceError(403, 'unclassified', NOT_DEPLOYED, { detail: 'wallet_not_deployed' })
  throw new ServiceError(403, 'unclassified', `The signature is not a curator’s (EIP-191) over \`${message}\`.`, {
    detail: 'not_curator',
  })
}
