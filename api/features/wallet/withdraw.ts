import type { Address } from 'viem'
import { z } from 'zod'
import { encodeTransfer } from '../../chain/transfer-call.ts'
import { refuse } from '../../domain/refusal.ts'
import {
  MAX_WITHDRAWALS_PER_DAY,
  refuseFurtherWithdrawal,
  refuseWithdrawal,
} from '../../domain/wallet/refuse-withdrawal.ts'
import { address, baseUnits, bytes32, walletSignature, wholeNumber } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import { findWithdrawalWait } from '../../intents/withdrawals.queries.ts'
import type { TransferAuthorization } from '../../payments/authorization.ts'
import { findWindowProblem, isAuthorizationUsed } from '../../payments/verify.ts'
import { findWithdrawalAddress } from '../../read-model/withdrawal-address.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

/** Digits of uint256. */
const MAX_DIGITS = 78

const bodySchema = z.object({
  from: address.meta({ description: 'The wallet whose USDC is withdrawn.' }),
  amountBaseUnits: baseUnits.meta({ description: 'USDC base units, at least 1000.' }),
  authorization: z
    .object({
      from: address,
      to: address.meta({ description: 'The registered withdrawal address.' }),
      value: baseUnits.meta({ description: 'As `amountBaseUnits`.' }),
      validAfter: wholeNumber(MAX_DIGITS).meta({ description: 'Unix seconds, before the chain head’s time.' }),
      validBefore: wholeNumber(MAX_DIGITS).meta({
        description: 'Unix seconds, 30 to 900 from now.',
      }),
      nonce: bytes32.meta({ description: '32 random bytes, never used before.' }),
    })
    .meta({ description: 'TransferWithAuthorization of USDC (ERC-3009).' }),
  signature: walletSignature.meta({
    description: 'EIP-712 by the wallet over the authorization, in the domain of `GET /wallet/withdrawal-address`.',
  }),
})

/** Spec, "Wallet"; Interface, "Wallet". */
export const withdraw = defineWrite({
  operation: 'wallet.withdraw',
  operationId: 'withdraw',
  summary: 'Withdraw USDC to the registered address',
  description:
    'Free: the service sends the transfer that the wallet authorized, and pays its gas. It goes to the registered ' +
    'withdrawal address only; any account can submit the same authorization to USDC, and the write then completes ' +
    'with that transaction. At most 20 withdrawals a day for a wallet.',
  path: '/wallet/withdraw',
  params: z.object({}),
  body: bodySchema,
  response: z.object({ txHash: hashOut, amountBaseUnits: amountOut, to: addressOut }),
  legalExempt: true,
  load: async (deps, { body }) => {
    const row = await findWithdrawalAddress(deps.sql, body.from)
    // Without an address nothing is withdrawn: the chain is not asked.
    if (row === null) return { registered: null, balance: 0n, isUsed: false }
    const [balance, isUsed] = await Promise.all([
      deps.chain.usdcBalance(body.from),
      isAuthorizationUsed(deps, transferOf(body)),
    ])
    return { registered: row.address, balance, isUsed }
  },
  modes: [],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: (facts, { body }, { clocks }) => {
    const { from: wallet, amountBaseUnits: amount, authorization } = body
    const refusal = refuseWithdrawal({ wallet, amount, authorization }, facts)
    if (refusal !== null) return refusal
    const problem = findWindowProblem(authorization, clocks)
    return problem && refuse(400, problem.detail, problem.message, { field: `authorization.${problem.field}` })
  },
  signed: ({ body }) => ({ transfer: transferOf(body) }),
  prepare: async ({ deployment }, _facts, { body }) => {
    const transfer = transferOf(body)
    const { to, value, nonce: id, validBefore } = transfer
    return {
      target: deployment.usdc,
      data: encodeTransfer(transfer),
      content: {},
      facts: { to, value: value.toString() },
      submission: { id, value, validBefore },
    }
  },
  guard: async (tx, _facts, { body }) =>
    refuseFurtherWithdrawal(await findWithdrawalWait(tx, body.from, MAX_WITHDRAWALS_PER_DAY)),
  result: ({ txHash, facts: { to, value } }) => ({
    body: { txHash, amountBaseUnits: value, to: toAddress(to as Address) },
  }),
})

function transferOf({ authorization, signature }: z.output<typeof bodySchema>): TransferAuthorization {
  return { ...authorization, signature }
}
