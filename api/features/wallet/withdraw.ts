import type { Address } from 'viem'
import { z } from 'zod'
import { withdraw as entry } from '../../../protocol/operations/withdraw.ts'
import { ends } from '../../../protocol/windows.ts'
import { refuse } from '../../domain/refusal.ts'
import {
  MAX_WITHDRAWALS_PER_DAY,
  refuseFurtherWithdrawal,
  refuseWithdrawal,
} from '../../domain/wallet/refuse-withdrawal.ts'
import { addressText, baseUnitsText, bytes32Text, signatureText, wholeText } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import { findWithdrawalWait } from '../../intents/withdrawals.queries.ts'
import { findWindowProblem, isAuthorizationUsed } from '../../payments/verify.ts'
import { findWithdrawalAddress } from '../../read-model/withdrawal-address.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

const bodySchema = z.object({
  from: addressText.meta({ description: 'The wallet whose USDC is withdrawn.' }),
  amountBaseUnits: baseUnitsText.meta({ description: 'USDC base units, at least 1000.' }),
  authorization: z
    .object({
      from: addressText,
      to: addressText.meta({ description: 'The registered withdrawal address.' }),
      value: baseUnitsText.meta({ description: 'As `amountBaseUnits`.' }),
      validAfter: wholeText().meta({ description: 'Unix seconds, before the chain head’s time.' }),
      validBefore: wholeText().meta({
        description: `Unix seconds, ${ends.payment.least} to ${ends.payment.most} from now.`,
      }),
      nonce: bytes32Text.meta({ description: '32 random bytes, never used before.' }),
    })
    .meta({ description: 'TransferWithAuthorization of USDC (ERC-3009).' }),
  signature: signatureText.meta({
    description: 'EIP-712 by the wallet over the authorization, in the domain of `GET /wallet/withdrawal-address`.',
  }),
})

/**
 * Withdraws USDC from a wallet to its registered withdrawal address.
 *
 * Example: `POST /api/wallet/withdraw` with `{"from": "0x976E..", "amountBaseUnits": "1500000", "authorization":
 * {"from": "0x976E..", "to": "0x14dC..", ..}, "signature": "0x11c8.."}` answers `{"txHash": "0x858d..",
 * "amountBaseUnits": "1500000", "to": "0x14dC.."}`.
 */
export const withdraw = defineWrite(entry, {
  body: bodySchema,
  response: z.object({ txHash: hashOut, amountBaseUnits: amountOut, to: addressOut }),
  load: async (deps, { from, authorization }) => {
    const row = await findWithdrawalAddress(deps.sql, from)
    // Without an address nothing is withdrawn, so no chain request is needed.
    if (row === null) return { registered: null, balance: 0n, isUsed: false }
    const [balance, isUsed] = await Promise.all([
      deps.chain.usdcBalance(from),
      isAuthorizationUsed(deps, authorization),
    ])
    return { registered: row.address, balance, isUsed }
  },
  facts: {},
  preflight: (facts, { from: wallet, amountBaseUnits: amount, authorization }, { clocks }) => {
    const refusal = refuseWithdrawal({ wallet, amount, authorization }, facts)
    if (refusal !== null) return refusal
    const problem = findWindowProblem(authorization, clocks)
    return problem && refuse(400, problem.detail, problem.message, { field: `authorization.${problem.field}` })
  },
  content: async (_deps, _facts, { authorization: { to, value } }) => ({
    content: {},
    resultInputs: { to, value: value.toString() },
  }),
  amount: (_facts, { authorization }) => authorization.value,
  guard: async (tx, _facts, { from }) =>
    refuseFurtherWithdrawal(await findWithdrawalWait(tx, from, MAX_WITHDRAWALS_PER_DAY)),
  result: ({ txHash, facts: { to, value } }) => ({
    body: { txHash, amountBaseUnits: value, to: toAddress(to as Address) },
  }),
})
