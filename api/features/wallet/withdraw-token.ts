import { type Address, erc20Abi, formatUnits, type Hex, zeroAddress } from 'viem'
import { z } from 'zod'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import type { InputOf } from '../../../protocol/operation.ts'
import { withdrawToken as entry } from '../../../protocol/operations/withdraw-token.ts'
import { ends } from '../../../protocol/windows.ts'
import { listContracts } from '../../chain/deployment.ts'
import { refuseTokenWithdrawal, type TokenWithdrawalFacts } from '../../domain/wallet/refuse-token-withdrawal.ts'
import { MAX_WITHDRAWALS_PER_DAY, refuseFurtherWithdrawal } from '../../domain/wallet/refuse-withdrawal.ts'
import { addressText, bytes32Text, signatureText, unixSecondsNumber, wholeText } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import { findWithdrawalWait } from '../../intents/withdrawals.queries.ts'
import type { MinedWrite } from '../../intents/write-result.ts'
import { findWithdrawn, isWithdrawalUsed } from '../../payments/bonus-withdrawal.ts'
import { type BonusProgramme, findBonusProgramme } from '../../read-model/bonus.queries.ts'
import { findWithdrawalAddress } from '../../read-model/withdrawal-address.queries.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

const BASE_UNITS_OF_USDC = 1_000_000n

const bodySchema = z.object({
  workerAddress: addressText.meta({ description: 'The wallet whose reward tokens are withdrawn.' }),
  destination: addressText.optional().meta({ description: 'The registered withdrawal address unless given.' }),
  nonce: bytes32Text.meta({ description: '32 random bytes, not zero, never used before by this wallet.' }),
  validBefore: z
    .union([wholeText(), unixSecondsNumber], {
      error: 'must be Unix seconds: a whole number, or one as a decimal string',
    })
    .meta({
      description: `Unix seconds, ${ends.tokenWithdrawal.least} to ${ends.tokenWithdrawal.most} from now; a number, or one as a decimal string.`,
    }),
  signature: signatureText.meta({
    description:
      'EIP-191 by the wallet over `<service>:withdraw-token:<destination>:<nonce>:<validBefore>`, addresses and nonce ' +
      'in lower case.',
  }),
})
/**
 * The values that the rules of a token withdrawal check. `destination` is the address that gets the tokens. `programme`
 * is the bonus programme that holds the tokens.
 */
interface Subject extends TokenWithdrawalFacts {
  destination: Address | null
  programme: BonusProgramme | null
}

/**
 * Withdraws all reward tokens that a wallet can claim.
 *
 * Example: `POST /api/wallet/withdraw-token` with `{"workerAddress": "0x14dC..", "destination": "0x2361..", "nonce":
 * "0x6d81..", "validBefore": "1795452172", ..}` answers `{"txHash": "0xb7af..", "destination": "0x2361..",
 * "claimedBaseUnits": "48720000000000000000", "claimedTokens": "48.72", ..}`.
 */
export const withdrawToken = defineWrite(entry, {
  body: bodySchema,
  response: z.object({
    txHash: hashOut,
    destination: addressOut,
    claimedBaseUnits: amountOut.meta({ description: 'Base units of the reward token.' }),
    claimedTokens: z.string().meta({ description: 'The same as a decimal number of tokens.' }),
    tokenPerUsdc: amountOut.meta({ description: 'Base units of the token for one USDC, when the write was taken.' }),
    usdEquivalent: amountOut.meta({ description: 'USDC base units at that rate; "0" while it is 0.' }),
  }),
  load: (deps, input) => loadSubject(deps, input),
  facts: { programme: (subject) => receiverOf(subject).programme.hook },
  preflight: (subject, input, { clocks }) => refuseTokenWithdrawal(input, subject, clocks),
  complete: (subject, input) => ({ ...input, destination: receiverOf(subject).destination }),
  content: async ({ chain }, subject, { nonce }) => {
    const { programme, destination } = receiverOf(subject)
    const { token, tokenPerUsdc } = programme
    const decimals = await chain.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })
    const rate = { tokenPerUsdc: tokenPerUsdc.toString(), decimals: decimals.toString() }
    return { content: {}, resultInputs: { to: destination, nonce, ...rate } }
  },
  // The whole claimable amount moves, as it is then.
  amount: ({ claimable }) => claimable,
  guard: async (tx, _subject, { workerAddress }) =>
    refuseFurtherWithdrawal(await findWithdrawalWait(tx, workerAddress, MAX_WITHDRAWALS_PER_DAY)),
  result: toResult,
})

/**
 * Returns the programme and the destination of a withdrawal.
 * @throws Error if one of them is missing. This cannot happen after the rules have admitted the withdrawal, because
 * they refuse a withdrawal without a programme or a destination
 */
function receiverOf({ programme, destination }: Subject) {
  if (programme === null || destination === null) throw new Error('admitted without a programme or a destination')
  return { programme, destination }
}

async function loadSubject(
  deps: WriteDeps,
  { workerAddress: account, destination: requestedDestination, nonce }: InputOf<typeof entry>,
): Promise<Subject> {
  const [programme, registeredAddress] = await Promise.all([
    findBonusProgramme(deps.sql),
    requestedDestination === undefined ? findWithdrawalAddress(deps.sql, account) : null,
  ])
  const destination = requestedDestination ?? registeredAddress?.address ?? null
  if (programme === null) {
    return { programme, destination, hasProgramme: false, lostAt: [], isNonceUsed: false, claimable: 0n }
  }
  const { hook, token } = programme
  const [isNonceUsed, claimableAmount] = await Promise.all([
    isWithdrawalUsed(deps, { programme: hook, account, nonce }),
    deps.chain.readContract({ address: hook, abi: bonusHookAbi, functionName: 'claimableOf', args: [account] }),
  ])
  const lostAt = [zeroAddress, hook, token, ...listContracts(deps.deployment)]
  return { programme, destination, hasProgramme: true, lostAt, isNonceUsed, claimable: claimableAmount }
}

function toResult({ txHash, target, logs, actor, facts }: MinedWrite) {
  const [destination, nonce] = [facts.to as Address, facts.nonce as Hex]
  const withdrawal = { account: actor, destination, nonce }
  const claimedAmount = findWithdrawn(logs, { programme: target, withdrawal })
  if (claimedAmount === null) throw new Error(`the transaction has no withdrawal of ${actor}`)
  const tokenPerUsdc = BigInt(facts.tokenPerUsdc ?? 0)
  return {
    body: {
      txHash,
      destination: toAddress(destination),
      claimedBaseUnits: claimedAmount.toString(),
      claimedTokens: formatUnits(claimedAmount, Number(facts.decimals)),
      tokenPerUsdc: tokenPerUsdc.toString(),
      usdEquivalent: tokenPerUsdc === 0n ? '0' : ((claimedAmount * BASE_UNITS_OF_USDC) / tokenPerUsdc).toString(),
    },
  }
}
