import { z } from 'zod'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'
import { curationStatuses } from '../../read-model/vault-curation.queries.ts'

const tokenAmount = amountOut.meta({ description: 'Base units of the vault’s token.' })

/** The schema of a vault's balances. See the specification, "Sponsored-task vaults". */
export const vaultBalanceSchema = z
  .object({
    fundedTotal: amountOut.meta({ description: 'All that `fund` ever received, base units of the vault’s token.' }),
    availableBalance: amountOut.meta({ description: 'Free for new charges, and the owner’s to withdraw.' }),
    reservedBalance: amountOut.meta({
      description: 'All that the vault owes: charged and undecided, credited and unclaimed, platform fees.',
    }),
  })
  .meta({ id: 'VaultBalance' })

/** The schema of a vault. See the specification, "Sponsored-task vault". */
export const vaultSchema = z
  .object({
    vaultId: hashOut,
    chainId: z.int(),
    hookAddress: addressOut,
    vaultAddress: addressOut,
    tokenAddress: addressOut,
    owner: addressOut,
    tokenSymbol: z
      .string()
      .nullable()
      .meta({ description: 'Chosen by the token, at most 32 printable characters; null when it exposes none.' }),
    tokenName: z.string().nullable(),
    tokenDecimals: z.int().nullable(),
    ...vaultBalanceSchema.shape,
    epoch: z.int(),
    status: z.enum(['active', 'exited']),
    curationStatus: z.enum(curationStatuses),
    createdAt: timestampOut,
  })
  .meta({ id: 'SponsoredTaskVault' })

/** The schema of a vault's manager. See the specification, "Sponsored-task vault". */
export const vaultManagerSchema = z
  .object({
    vaultId: hashOut,
    managerAddress: addressOut,
    spendCap: tokenAmount,
    spent: amountOut.meta({ description: 'Charged and not released, over all time.' }),
    active: z.boolean(),
  })
  .meta({ id: 'VaultManager' })

/**
 * The schema of a vault's settlement of one task. See the specification, "Sponsored-task vaults":
 * `sponsoredTaskVaults.settlement.get`.
 */
export const settlementSchema = z
  .object({
    vaultId: hashOut,
    taskId: hashOut,
    epoch: z.int(),
    merkleRoot: hashOut,
    totalAmount: tokenAmount,
    releasedAmount: amountOut.meta({ description: 'What its leaves have paid so far.' }),
  })
  .meta({ id: 'VaultSettlement' })
