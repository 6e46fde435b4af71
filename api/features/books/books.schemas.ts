import { z } from 'zod'
import { addressOut, amountOut, timestampOut } from '../../http/response-schemas.ts'

/** An amount that may be below zero. */
const signedOut = z.string().regex(/^-?[0-9]+$/)

const contractOut = z.object({
  name: z.enum(['market', 'forwarder', 'bonus_hook', 'vault']),
  address: addressOut,
  balance: amountOut.nullable().meta({ description: 'What the token says the contract holds; null: not read.' }),
  accounts: z
    .array(z.object({ account: z.string(), amount: signedOut.nullable() }))
    .meta({ description: 'The sums of the rows by class of account; null: not counted yet.' }),
  views: z
    .array(z.object({ name: z.string(), amount: amountOut.nullable() }))
    .meta({ description: 'The contract’s own sums; null: not read.' }),
  difference: signedOut.meta({
    description:
      'A shortfall of the balance, or a view minus the accounts that it covers: the largest. "0": they agree.',
  }),
})

/** Both sides at one block. */
export const booksOut = z.object({
  block: z.int().min(0).meta({ description: 'Height of the block that both sides are of.' }),
  timestamp: timestampOut,
  assets: z.array(z.object({ asset: addressOut, contracts: z.array(contractOut) })),
})
