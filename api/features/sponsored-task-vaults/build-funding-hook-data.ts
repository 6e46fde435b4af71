import { type Address, type Hex, zeroAddress } from 'viem'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { toCreateTaskParams } from '../../../protocol/creation/create-task-params.ts'
import { termsHashOfCreation } from '../../../protocol/creation/creation-terms-hash.ts'
import { encodeFundingTerms } from '../../../protocol/creation/funding-terms.ts'
import { normaliseTerms } from '../../../protocol/creation/normalise-terms.ts'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'
import type { Chain } from '../../chain/chain.ts'
import { refuseTerms } from '../../domain/creation/refuse-terms.ts'
import { refuse } from '../../domain/refusal.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { invalidRequest } from '../../http/parse.ts'
import { toAddress } from '../../http/response-schemas.ts'
import { admit } from '../../writes/stages/admit.ts'
import { defineRoute } from '../define-route.ts'
import { buildFundingHookDataBody, buildFundingHookDataResponse } from './build-funding-hook-data.schemas.ts'
import { unknownVault, vaultParams } from './vault-parameters.ts'

/** The error reason of an invalid request to this route. The route that creates a task uses the same error reason. */
const REFUSED = 'payment_preflight_rejected'

/**
 * Builds the hook data of a task that a vault funds. The call stores nothing and costs nothing. See the specification,
 * "Sponsored-task vaults", and the interface specification, "Sponsored vaults".
 *
 * Example: `POST /api/sponsored-task-vaults/0xa9be../build-funding-hook-data` with `{"managerAddress": "0x976E..",
 * "grossAmount": "100000000000000000000", "reward": "2000000", "duration": 24, ..}` answers `{"hookAddress":
 * "0x0020..", "hookData": "0x0000.."}`.
 */
export const buildFundingHookData = defineRoute({
  operationId: 'buildFundingHookData',
  method: 'post',
  path: '/sponsored-task-vaults/{vaultId}/build-funding-hook-data',
  tag: 'sponsored-task vaults',
  summary: 'Build the hook data of a task that a vault funds',
  description:
    'A read: it stores nothing and needs no idempotency key. The task is created with the same fields, `hookAddress` ' +
    'as the last of its `hookContracts`, and `hookData`; otherwise the creation reverts with `TaskTermsMismatch`. ' +
    'Build immediately before creating: the epoch of the vault, the platform fee and the market’s own hooks are those ' +
    'of now. Fields that a creation would refuse are refused alike. Whether the vault can pay is a question to ' +
    '`preview-funding`.',
  params: vaultParams,
  body: buildFundingHookDataBody,
  rateLimit: 'reads',
  inputReason: REFUSED,
  responses: {
    200: { description: 'Hook and hook data of the task.', schema: buildFundingHookDataResponse },
    400: { description: 'What a creation would refuse, or what is wrong with the charge; `issues` names the fields.' },
    403: { description: 'The manager would judge its own task.' },
    404: { description: 'No vault has this id.' },
    409: { description: 'This deployment has no hook of sponsored tasks.' },
  },
  handler: async ({ deployment, chain }, { params: { vaultId }, body }) => {
    if (body.vaultId !== undefined && body.vaultId !== vaultId) {
      throw invalidRequest([{ path: 'vaultId', message: 'must be the vault of the path, or left out' }], REFUSED)
    }
    const { market, sponsoredTasksHook: hook, sponsoredVaultFactory: factory } = deployment
    if (hook === undefined || factory === undefined) {
      throw new ServiceError(409, 'unclassified', 'This deployment has no hook of sponsored tasks, and so no vaults.', {
        detail: 'no_vaults',
      })
    }
    const vault = await getVault(chain, { factory, vaultId })
    const { epoch, feeBps, defaultHooks } = await readLiveTerms(chain, { vault, market })
    const terms = withHook(normaliseTerms(body), hook)
    const { managerAddress: requester, grossAmount } = body
    admit(refuseTerms(terms, { platformFeeBps: feeBps, defaultHooks }, { requester }))
    const termsHash = termsHashOfCreation(toCreateTaskParams(terms), defaultHooks)
    const hookData = encodeFundingTerms({ vaultId, manager: requester, gross: grossAmount, epoch, feeBps, termsHash })
    return { hookAddress: toAddress(hook), hookData }
  },
})

/**
 * Returns the terms with the hook of sponsored tasks as the last hook.
 * @throws ServiceError 400 if the terms name this hook already
 */
function withHook<Terms extends TaskTerms>(terms: Terms, hook: Address): Terms {
  const { hookContracts = [] } = terms
  if (hookContracts.includes(hook)) {
    const message = 'hookContracts must not name the hook of sponsored tasks, which is appended.'
    admit(refuse(400, 'invalid_hooks', message, { field: 'hookContracts' }))
  }
  return { ...terms, hookContracts: [...hookContracts, hook] }
}

/**
 * Reads the address of a vault from the factory contract.
 * @throws ServiceError 404 if no vault has this id
 */
async function getVault(chain: Chain, { factory, vaultId }: { factory: Address; vaultId: Hex }): Promise<Address> {
  const vault = await chain.readContract({
    address: factory,
    abi: sponsoredVaultFactoryAbi,
    functionName: 'vaultOf',
    args: [vaultId],
  })
  if (vault === zeroAddress) throw unknownVault(vaultId)
  return vault
}

/** Reads from the chain the vault's epoch, and the market's platform fee and default hooks. */
async function readLiveTerms(chain: Chain, { vault, market }: { vault: Address; market: Address }) {
  // At the creation of the task, the hook compares the hook data with the values that are then on chain.
  const [epoch, feeBps, defaultHooks] = await chain.readContracts([
    { address: vault, abi: sponsoredVaultAbi, functionName: 'epoch' },
    { address: market, abi: taskMarketAbi, functionName: 'feeBps' },
    { address: market, abi: taskMarketAbi, functionName: 'defaultHooks' },
  ])
  return { epoch, feeBps, defaultHooks: defaultHooks.map((hook) => hook.toLowerCase() as Address) }
}
