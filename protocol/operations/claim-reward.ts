import { hashTypedData, type TypedDataDefinition } from 'viem'
import {
  exampleDestination,
  exampleProof,
  exampleSignature,
  exampleTaskId,
  exampleVaultId,
  exampleWorker,
} from '../examples.ts'
import { vaultCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toAmount, toBytes } from '../normalise.ts'
import type { CallContext } from '../operation.ts'
import { free } from '../prices.ts'
import { claimTypedData, type VaultClaim } from '../signed/vault-claim.ts'

interface ClaimRewardRequest {
  vaultId: string
  taskId: string
  /** Index of the worker's award in the task, from 0. */
  index: number
  workerAddress: string
  destination: string
  /** Amount of the claim, base units of the vault's token. */
  amount: string
  nonce: string
  /** The last second in which the vault accepts the claim, Unix time. */
  deadline: string
  signature: string
  proof: readonly string[]
}

/** A normalised request for a claim. */
type Claim = ReturnType<typeof normalise>

/**
 * Claims a worker's reward from a sponsor's vault. The call is free (specification, "Sponsored-task vaults"; interface
 * specification, "Sponsored vaults").
 * Example: the call `claimTo` of the vault for 3 tokens with 18 decimals and nonce 4, which the worker signed.
 */
export const claimReward = vaultCall('claimTo')({
  name: 'sponsoredTaskVaults.claim',
  operationId: 'claimSponsoredReward',
  path: '/sponsored-task-vaults/{vaultId}/claim',
  actorField: 'workerAddress',
  legalExempt: true,
  facts: ['vault'],
  normalise,
  target: ({ facts }) => facts.vault.address,
  ownerSigned: {
    signer: ({ workerAddress }) => workerAddress,
    signature: ({ signature }) => signature,
    message: (claim, context) => ({ typedData: toTypedData(claim, context) }),
    // The vault counts nonces, which are not unique; the signed hash is.
    id: (claim, context) => hashTypedData(toTypedData(claim, context)),
    validBefore: ({ deadline }) => deadline + 1n,
  },
  args: (claim, { facts }) => [toVaultClaim(claim, facts.vault), claim.proof, claim.signature],
  price: free,
  decides: ({ vaultId, amount }) => [{ asset: 'vaultToken', vaultId, amount }],
})

function normalise(request: ClaimRewardRequest) {
  const { vaultId, taskId, index, workerAddress, destination, amount, nonce, deadline, signature, proof } = request
  return {
    vaultId: toBytes(vaultId),
    taskId: toBytes(taskId),
    index,
    workerAddress: toAddress(workerAddress),
    destination: toAddress(destination),
    amount: toAmount(amount),
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
    signature: toBytes(signature),
    proof: proof.map(toBytes),
  }
}

function toTypedData(claim: Claim, { facts: { vault }, deployment }: CallContext<'vault'>): TypedDataDefinition {
  const { chainId } = deployment
  const message = toVaultClaim(claim, vault)
  return { ...claimTypedData({ chainId, vault: vault.address }), message: { ...message } }
}

/**
 * Converts a normalised claim to the form that the worker signs and the vault checks. The field `allocationId` is the
 * task id: for a task on the vault's own chain both are equal.
 */
function toVaultClaim(claim: Claim, { epoch }: { epoch: bigint }): VaultClaim {
  const { vaultId, taskId, index, workerAddress: worker, destination, amount, nonce, deadline } = claim
  const leaf = { vaultId, epoch, allocationId: taskId, taskId, index: BigInt(index), worker }
  return { ...leaf, destination, amount, nonce, deadline }
}

export const claimRewardListing: ListingOf<typeof claimReward> = {
  summary: 'Claim a sponsored reward',
  description:
    'Free: the service submits the claim that the worker signed, and pays the gas. Claims of one wallet in one vault ' +
    'are sent one at a time in nonce order: a refusal with the word `retry` leaves the key usable, and passes. Any account ' +
    'can submit the same claim, and the write then completes with that transaction. Counts to the 20 withdrawals a day.',
  gas: { typicalGas: 200_000, gasCeiling: 600_000, freeBudget: 'exits' },
  // A vault calls its token with a fixed amount of gas (VaultBase.sol).
  allowance: () => ({ outsideGas: 200_000n }),
  example: {
    vaultId: exampleVaultId,
    taskId: exampleTaskId,
    index: 1,
    workerAddress: exampleWorker,
    destination: exampleDestination,
    amount: '3000000000000000000',
    nonce: '4',
    deadline: '1795694400',
    signature: exampleSignature,
    proof: [exampleProof],
  },
}
