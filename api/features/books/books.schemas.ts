import { z } from 'zod'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'
import { movementKinds } from '../../read-model/movement-kinds.ts'

/** The schema of a decimal amount that may be negative. */
const signedOut = z.string().regex(/^-?[0-9]+$/)

const contractOut = z.object({
  name: z.enum(['market', 'forwarder', 'bonus_hook', 'vault']),
  address: addressOut,
  inflow: amountOut.nullable().meta({
    description: 'What the ledger brought into the contract, of a vault by its functions; null: not counted yet.',
  }),
  outflow: amountOut.nullable().meta({ description: 'What it brought out of the contract.' }),
  balance: amountOut.nullable().meta({ description: 'What the token says the contract holds; null: not read.' }),
  accounts: z.array(z.object({ account: z.string(), amount: signedOut })).meta({
    description:
      'The ledger’s sums by class of account, or of the accounts asked for that had a movement; empty: not counted yet.',
  }),
  views: z
    .array(z.object({ name: z.string(), amount: amountOut.nullable() }))
    .meta({ description: 'The contract’s own sums; null: not read.' }),
  difference: signedOut.meta({
    description:
      'The balance minus the accounts, or a view minus those that it covers: the largest. Of a vault’s balance only a shortfall. "0": they agree.',
  }),
})

/** The schema of a movement of money between two accounts of the ledger. */
export const movementOut = z.object({
  id: z.string(),
  block: z.int().min(0),
  timestamp: timestampOut,
  transactionHash: hashOut,
  logIndex: z.int().min(0),
  asset: addressOut,
  kind: z.enum(movementKinds).meta({ description: 'New kinds may be added.' }),
  from: z.string().meta({ description: 'An account of the ledger; of a wallet its address in lower case.' }),
  to: z.string(),
  amount: amountOut,
  amountUnits: z
    .string()
    .nullable()
    .meta({ description: 'The amount times ten to the minus decimals; null: the token answers no decimals.' }),
  taskId: hashOut.nullable(),
  operation: z
    .string()
    .regex(/^0x[0-9a-f]{8}$/)
    .nullable()
    .meta({ description: 'Selector of the relayed call; null: a direct call.' }),
})

/**
 * The schema of the books at one block: the amounts that the rows of the ledger add up to, and the amounts that the
 * contracts report.
 */
export const booksOut = z.object({
  block: z.int().min(0).meta({ description: 'Height of the block that both sides are of.' }),
  timestamp: timestampOut,
  assets: z.array(
    z.object({
      asset: addressOut,
      decimals: z
        .int()
        .min(0)
        .max(255)
        .nullable()
        .meta({ description: 'Decimals of the token, whose base units all amounts are; null: it answers none.' }),
      contracts: z.array(contractOut),
    }),
  ),
  movements: z
    .array(movementOut)
    .exactOptional()
    .meta({ description: 'With `account` or `taskId`: movements up to the block, newest first.' }),
  nextCursor: z.string().nullable().exactOptional(),
})
