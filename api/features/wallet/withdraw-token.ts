import { type Address, erc20Abi, formatUnits, zeroAddress } from 'viem'
import { z } from 'zod'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { listContracts } from '../../chain/deployment.ts'
import { refuseTokenWithdrawal, type TokenWithdrawalFacts } from '../../domain/wallet/refuse-token-withdrawal.ts'
import { MAX_WITHDRAWALS_PER_DAY, refuseFurtherWithdrawal } from '../../domain/wallet/refuse-withdrawal.ts'
import { address, bytes32, unixSeconds, walletSignature, wholeNumber } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import { TOKEN_BALANCE_GAS } from '../../intents/hook-gas.ts'
import { findWithdrawalWait } from '../../intents/withdrawals.queries.ts'
import type { MinedWrite } from '../../intents/write-result.ts'
import { encodeWithdrawal, findWithdrawn, isWithdrawalUsed, toWithdrawalText } from '../../payments/bonus-withdrawal.ts'
import { type BonusProgramme, findBonusProgramme } from '../../read-model/bonus.queries.ts'
import { findWithdrawalAddress } from '../../read-model/withdrawal-address.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'

/** Digits of uint256. */
const MAX_DIGITS = 78
const BASE_UNITS_OF_USDC = 1_000_000n

const bodySchema = z.object({
  workerAddress: address.meta({ description: 'The wallet whose reward tokens are withdrawn.' }),
  destination: address.optional().meta({ description: 'The registered withdrawal address unless given.' }),
  nonce: bytes32.meta({ description: '32 random bytes, not zero, never used before by this wallet.' }),
  validBefore: z
    .union([wholeNumber(MAX_DIGITS), unixSeconds], {
      error: 'must be Unix seconds: a whole number, or one as a decimal string',
    })
    .meta({
      description: 'Unix seconds, 30 to 300 from now; a number, or one as a decimal string.',
    }),
  signature: walletSignature.meta({
    description:
      'EIP-191 by the wallet over `<service>:withdraw-token:<destination>:<nonce>:<validBefore>`, addresses and nonce ' +
      'in lower case.',
  }),
})
type Body = z.output<typeof bodySchema>

/** Where the tokens go, with the programme that has them. */
interface Subject extends TokenWithdrawalFacts {
  destination: Address | null
  programme: BonusProgramme | null
}

/** Spec, "Wallet"; Interface, "Wallet". */
export const withdrawToken = defineWrite({
  operation: 'wallet.withdrawToken',
  operationId: 'withdrawToken',
  summary: 'Withdraw the reward tokens of a wallet',
  description:
    'Free: the service submits the message that the wallet signed, and pays the gas. All that is claimable moves. Any ' +
    'account can submit the same message, and the write then completes with that transaction. At most 20 withdrawals a ' +
    'day for a wallet, those of USDC included.',
  path: '/wallet/withdraw-token',
  params: z.object({}),
  body: bodySchema,
  response: z.object({
    txHash: hashOut,
    destination: addressOut,
    claimedBaseUnits: amountOut.meta({ description: 'Base units of the reward token.' }),
    claimedTokens: z.string().meta({ description: 'The same as a decimal number of tokens.' }),
    tokenPerUsdc: amountOut.meta({ description: 'Base units of the token for one USDC, when the write was taken.' }),
    usdEquivalent: amountOut.meta({ description: 'USDC base units at that rate; "0" while it is 0.' }),
  }),
  legalExempt: true,
  load: (deps, { body }) => loadSubject(deps, body),
  modes: [],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: (subject, { body }, { clocks }) => refuseTokenWithdrawal(body, subject, clocks),
  signed: ({ body: { workerAddress, nonce, validBefore, signature } }, { destination }) =>
    destination && {
      actor: workerAddress,
      signature,
      text: toWithdrawalText({ destination, nonce, validBefore }),
    },
  prepare: async ({ chain }, { programme, destination, claimable }, { body }) => {
    if (programme === null || destination === null) throw new Error('admitted without a programme or a destination')
    const { workerAddress: account, nonce, validBefore, signature } = body
    const { hook, token, tokenPerUsdc } = programme
    const decimals = await chain.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })
    return {
      target: hook,
      data: encodeWithdrawal({ account, destination, nonce, validBefore }, signature),
      content: {},
      facts: { to: destination, nonce, tokenPerUsdc: tokenPerUsdc.toString(), decimals: decimals.toString() },
      // All that is claimable moves, whatever it is by then.
      submission: { id: nonce, value: claimable, validBefore },
      registryGas: TOKEN_BALANCE_GAS,
    }
  },
  guard: async (tx, _subject, { body }) =>
    refuseFurtherWithdrawal(await findWithdrawalWait(tx, body.workerAddress, MAX_WITHDRAWALS_PER_DAY)),
  result: toResult,
})

async function loadSubject(deps: WriteDeps, body: Body): Promise<Subject> {
  const { workerAddress: account, nonce } = body
  const [programme, registered] = await Promise.all([
    findBonusProgramme(deps.sql),
    body.destination === undefined ? findWithdrawalAddress(deps.sql, account) : null,
  ])
  const destination = body.destination ?? registered?.address ?? null
  if (programme === null) {
    return { programme, destination, hasProgramme: false, lostAt: [], isNonceUsed: false, claimable: 0n }
  }
  const { hook, token } = programme
  const [isNonceUsed, claimable] = await Promise.all([
    isWithdrawalUsed(deps, { programme: hook, account, nonce }),
    deps.chain.readContract({ address: hook, abi: bonusHookAbi, functionName: 'claimableOf', args: [account] }),
  ])
  const lostAt = [zeroAddress, hook, token, ...listContracts(deps.deployment)]
  return { programme, destination, hasProgramme: true, lostAt, isNonceUsed, claimable }
}

function toResult({ txHash, target, logs, actor, facts }: MinedWrite) {
  const [destination, nonce] = [facts.to as Address, facts.nonce as Body['nonce']]
  const withdrawal = { account: actor, destination, nonce }
  const claimed = findWithdrawn(logs, { programme: target, withdrawal })
  if (claimed === null) throw new Error(`the transaction has no withdrawal of ${actor}`)
  const tokenPerUsdc = BigInt(facts.tokenPerUsdc ?? 0)
  return {
    body: {
      txHash,
      destination: toAddress(destination),
      claimedBaseUnits: claimed.toString(),
      claimedTokens: formatUnits(claimed, Number(facts.decimals)),
      tokenPerUsdc: tokenPerUsdc.toString(),
      usdEquivalent: tokenPerUsdc === 0n ? '0' : ((claimed * BASE_UNITS_OF_USDC) / tokenPerUsdc).toString(),
    },
  }
}
