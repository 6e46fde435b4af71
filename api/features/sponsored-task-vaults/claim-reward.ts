import { type Address, type Hex, hashTypedData } from 'viem'
import { z } from 'zod'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { type ClaimFacts, claimInProgress, refuseClaim } from '../../domain/sponsored/refuse-claim.ts'
import { MAX_WITHDRAWALS_PER_DAY, refuseFurtherWithdrawal } from '../../domain/wallet/refuse-withdrawal.ts'
import { address, bytes32, walletSignature, wholeNumber } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import { UNAPPROVED_CLAIM_GAS, VAULT_TOKEN_GAS } from '../../intents/hook-gas.ts'
import { listClaimsInFlight } from '../../intents/vault-claims.queries.ts'
import { findWithdrawalWait } from '../../intents/withdrawals.queries.ts'
import { claimTypedData, encodeClaim, type VaultClaim } from '../../payments/vault-claim.ts'
import { findChargeFacts, findVaultFacts } from '../../read-model/vaults.queries.ts'
import { findWithdrawalAddress } from '../../read-model/withdrawal-address.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { vaultParams } from './vault-parameters.ts'

/** Digits of uint256. */
const MAX_DIGITS = 78
/** Greatest index of an award in its task; more than enough, because a task has at most fifty awards. */
const MAX_INDEX = 255
/** Longest Merkle proof: the depth of a tree with 256 leaves. */
const MAX_PROOF = 8

const bodySchema = z.object({
  vaultId: bytes32.meta({ description: 'The vault of the path.' }),
  taskId: bytes32,
  index: z.int().min(0).max(MAX_INDEX).meta({ description: 'Of the entitlement.' }),
  workerAddress: address,
  destination: address.meta({ description: 'The registered withdrawal address of the worker.' }),
  amount: wholeNumber(MAX_DIGITS).meta({ description: 'Of the entitlement, base units of the vault’s token.' }),
  nonce: wholeNumber(MAX_DIGITS).meta({ description: 'The answer of claim-nonce.' }),
  deadline: wholeNumber(MAX_DIGITS).meta({ description: 'Unix seconds, at most ten minutes from now.' }),
  signature: walletSignature.meta({
    description:
      'EIP-712 by the worker over `ClaimTo` in the domain `SponsoredTasksVault`, version `1`, of the vault: ' +
      '`docs/vaults.md`.',
  }),
  proof: z.array(bytes32).max(MAX_PROOF).meta({ description: 'Of the entitlement.' }),
})
type Body = z.output<typeof bodySchema>

/** What the rules of a claim need, with what its call is made of. */
interface Subject {
  facts: ClaimFacts
  /** Null with an unknown vault. */
  vault: { chainId: number; address: Address; owner: Address; epoch: bigint; isApproved: boolean } | null
}

/**
 * Relays the claim by which a worker takes a reward out of a sponsor's vault, to its withdrawal address. Spec,
 * "Sponsored-task vaults"; Interface, "Sponsored vaults".
 */
export const claimReward = defineWrite({
  operation: 'sponsoredTaskVaults.claim',
  operationId: 'claimSponsoredReward',
  summary: 'Claim a sponsored reward',
  description:
    'Free: the service submits the claim that the worker signed, and pays the gas. Claims of one wallet in one vault ' +
    'are sent one at a time in nonce order: a refusal with the word `retry` leaves the key usable, and passes. Any account ' +
    'can submit the same claim, and the write then completes with that transaction. Counts to the 20 withdrawals a day.',
  path: '/sponsored-task-vaults/{vaultId}/claim',
  params: vaultParams,
  body: bodySchema,
  response: z.object({
    txHash: hashOut,
    destination: addressOut,
    amount: amountOut.meta({ description: 'Base units of the vault’s token.' }),
  }),
  legalExempt: true,
  load: (deps, { params, body }) => loadSubject(deps, params.vaultId, body),
  modes: [],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: ({ facts }, { params, body }, { clocks }) =>
    refuseClaim({ ...termsOf(body), vaultId: params.vaultId, namedVaultId: body.vaultId }, facts, clocks),
  signed: ({ body }, { vault }) =>
    vault && {
      actor: body.workerAddress,
      signature: body.signature,
      typedData: claimTypedData({ chainId: vault.chainId, vault: vault.address }, claimOf(body, vault)),
    },
  prepare: async (_deps, { vault }, { body }) => {
    if (vault === null) throw new Error('admitted without a vault')
    const claim = claimOf(body, vault)
    const data = encodeClaim(claim, { proof: body.proof, signature: body.signature })
    return {
      target: vault.address,
      data,
      content: {},
      facts: {
        to: body.destination,
        taskId: body.taskId,
        amount: body.amount.toString(),
        nonce: body.nonce.toString(),
      },
      submission: {
        // The vault's nonces are counted: what is unique of a claim is what was signed.
        id: hashTypedData(claimTypedData({ chainId: vault.chainId, vault: vault.address }, claim)),
        value: body.amount,
        // The deadline is the last second in which the signature counts.
        validBefore: body.deadline + 1n,
      },
      registryGas: VAULT_TOKEN_GAS,
      // A curator vouches for the token of an approved vault.
      foreignCode: vault.isApproved ? null : { owner: vault.owner, maxGas: UNAPPROVED_CLAIM_GAS },
    }
  },
  guard: async (tx, { vault }, { body: { workerAddress: worker } }) => {
    // It waits for the other withdrawals of the wallet, so that the next look sees what they have bound.
    const refusal = refuseFurtherWithdrawal(await findWithdrawalWait(tx, worker, MAX_WITHDRAWALS_PER_DAY))
    if (refusal !== null) return refusal
    const inFlight = vault === null ? [] : await listClaimsInFlight(tx, { vault: vault.address, worker })
    return inFlight.length === 0 ? null : claimInProgress()
  },
  describeRevert: ({ errorName, message }) =>
    message.startsWith(`${errorName}(`)
      ? `claim would revert with ${message}`
      : `claim would revert with ${errorName}: ${message}`,
  result: ({ txHash, facts: { to, amount } }) => ({
    body: { txHash, destination: toAddress(to as Address), amount },
  }),
})

async function loadSubject(deps: WriteDeps, vaultId: Hex, body: Body): Promise<Subject> {
  const { taskId, workerAddress: worker } = body
  const [vault, charge, registered] = await Promise.all([
    findVaultFacts(deps.sql, vaultId),
    findChargeFacts(deps.sql, { vaultId, taskId }),
    findWithdrawalAddress(deps.sql, worker),
  ])
  if (vault === null) {
    const facts = { vault, charge: null, registered: null, isInFlight: false, nextNonce: 0n }
    return { facts, vault }
  }
  const [nextNonce, inFlight] = await Promise.all([
    deps.chain.readContract({
      address: vault.vault,
      abi: sponsoredVaultAbi,
      functionName: 'nonceOf',
      args: [worker],
    }),
    listClaimsInFlight(deps.sql, { vault: vault.vault, worker }),
  ])
  return {
    facts: {
      vault: { isExited: vault.isExited },
      charge: charge && { state: charge.state, isEnded: charge.epoch < vault.epoch },
      registered: registered?.address ?? null,
      isInFlight: inFlight.length > 0,
      nextNonce,
    },
    vault: {
      chainId: deps.deployment.chainId,
      address: vault.vault,
      owner: vault.owner,
      epoch: BigInt(vault.epoch),
      isApproved: vault.curationStatus === 'approved',
    },
  }
}

function termsOf({ destination, nonce, deadline }: Body) {
  return { destination, nonce, deadline }
}

function claimOf(body: Body, { epoch }: { epoch: bigint }): VaultClaim {
  const { vaultId, taskId, index, workerAddress: worker, destination, amount, nonce, deadline } = body
  const claim = { vaultId, epoch, allocationId: taskId, taskId, index: BigInt(index), worker }
  return { ...claim, destination, amount, nonce, deadline }
}
