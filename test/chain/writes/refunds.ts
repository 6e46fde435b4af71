import { type Address, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { expect } from 'vitest'
import type { Chain } from '../../../api/chain/chain.ts'
import type { Deps } from '../../../api/deps.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { signRefund } from '../../../api/relayer/loops/relay-refund.ts'
import { watchRefunds } from '../../../api/relayer/loops/watch-refunds.ts'
import { openNonceSequence } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { sendAttempt } from '../../../api/relayer/transactions/send-attempt.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import type { ScriptedWallet } from '../../support/scripted-contracts.ts'
import { getPayment, type RelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

/** The same service with another price of ether. */
export function withWeiPerUsdc(deps: Deps, wei: number): Deps {
  return { ...deps, config: { ...deps.config, WEI_PER_USDC: wei } }
}

/** A failed write whose payment is in the forwarder, with a pending refund. */
export async function aPendingRefund(
  harness: RelayHarness,
  { signer, payer = signer.address, value }: { signer: PrivateKeyAccount; payer?: Address; value?: bigint },
): Promise<BoundIntent> {
  const changes = { from: payer.toLowerCase() as Address, ...(value !== undefined && { value }) }
  const intent = await harness.bindCreate(signer, changes)
  const stranger = devAccount('resolver').account.address
  await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(intent)))
  await harness.deps.sql`
    update intents set status = 'failed', failure = 'for the test', terminal_reason = 'for the test',
      refund_status = 'pending'
    where id = ${intent.id}`
  return await harness.find(intent.id)
}

/** One turn of the outbox as if this refund's pause were over, and one look at what became of it. */
export async function takeTurn(deps: Deps, intent: BoundIntent): Promise<void> {
  const hash = await signAndSend(deps, intent)
  if (hash !== null) await untilMined(deps, hash)
  await watchRefundsOnce(deps)
}

/** Its part before the look. @returns the transaction; null when none was signed */
async function signAndSend(deps: Deps, { id }: BoundIntent): Promise<Hex | null> {
  await deps.sql`
    update intents set relay_after = now() + make_interval(hours => case when id = ${id} then -1 else 1 end)
    where refund_status = 'pending'`
  const [relayer] = deps.relayer.accounts
  await openNonceSequence(deps.sql, relayer.address, await deps.chain.getTransactionCount(relayer.address))
  const refund = await deps.sql.begin((tx) => signRefund(deps, tx, relayer))
  if (!refund?.signed) return null
  if (!('attempt' in refund.signed)) throw new Error('its signer is of this process')
  await sendAttempt(relayOf(deps), refund.signed.attempt)
  return refund.signed.attempt.hash
}

async function watchRefundsOnce(deps: Deps): Promise<void> {
  await watchRefunds(relayOf(deps))
}

function relayOf(deps: Deps) {
  return { deps, results: new Map(), onSent: () => {} }
}

/** The node answers a send before its block. */
async function untilMined({ chain }: Deps, hash: Hex): Promise<void> {
  await expect.poll(() => chain.getTransactionReceipt(hash), { interval: 5 }).not.toBeNull()
}

/** The wallet refuses in the block what it accepted in the simulation. */
export function refusingWhenMined(deps: Deps, wallet: ScriptedWallet): Deps {
  const send: Chain['sendRawTransaction'] = async (raw) => {
    await wallet.refuse('always')
    await deps.chain.sendRawTransaction(raw)
    await untilMined(deps, keccak256(raw))
    await wallet.refuse('never')
  }
  return { ...deps, chain: { ...deps.chain, sendRawTransaction: send } }
}
